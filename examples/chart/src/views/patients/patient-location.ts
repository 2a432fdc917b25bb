import { useEffect, useState } from 'preact/hooks';
import { mayLeave } from '../forms/use-leave.ts';

/** The patient whose chart is shown is in the fragment, which a browser does not send. */
const patientInLocation = (): string | null =>
  /^#Patient\/([A-Za-z0-9\-.]{1,64})(\/drafts)?$/.exec(location.hash)?.[1] ?? null;

export const linkToPatient = (id: string): string => `#Patient/${id}`;

/** The drafts in the chart of a patient. */
export const linkToDrafts = (id: string): string => `${linkToPatient(id)}/drafts`;

/** Shows the first draft, if the location asks for the drafts. */
export const useDraftsInLocation = (isShown: boolean): void => {
  useEffect(() => {
    if (isShown && location.hash.endsWith('/drafts'))
      document.querySelector('.draft')?.scrollIntoView({ block: 'center' });
  }, [isShown]);
};

/** The id of the patient whose chart is shown; null for the list of patients. */
export const usePatientId = (): string | null => {
  const [id, setId] = useState(patientInLocation);
  useEffect(() => {
    let shown = location.hash;
    const follow = () => {
      if (location.hash === shown) return;
      if (!mayLeave()) {
        // The page has gone already: by Back, by a link, or by a bookmark.
        history.pushState(null, '', shown === '' ? '#patients' : shown);
        return;
      }
      shown = location.hash;
      setId(patientInLocation());
      scrollTo(0, 0);
    };
    // It may have changed since the first rendering.
    setId(patientInLocation());
    addEventListener('hashchange', follow);
    return () => removeEventListener('hashchange', follow);
  }, []);
  return id;
};
