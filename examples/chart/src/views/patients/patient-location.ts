import { useEffect, useState } from 'preact/hooks';

/** The patient whose chart is shown is in the fragment, which a browser does not send. */
const patientInLocation = (): string | null =>
  /^#Patient\/([A-Za-z0-9\-.]{1,64})$/.exec(location.hash)?.[1] ?? null;

export const linkToPatient = (id: string): string => `#Patient/${id}`;

/** The id of the patient whose chart is shown; null for the list of patients. */
export const usePatientId = (): string | null => {
  const [id, setId] = useState(patientInLocation);
  useEffect(() => {
    const follow = () => {
      setId(patientInLocation());
      scrollTo(0, 0);
    };
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return id;
};
