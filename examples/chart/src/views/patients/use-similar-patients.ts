import { useEffect, useState } from 'preact/hooks';
import type { Patient } from '../../model/resources.ts';
import { isSimilar } from '../../model/similar-patients.ts';
import { useClient } from '../contexts.ts';

/** The other patients who may be mistaken for this one, once they are read. */
export const useSimilarPatients = (patient: Patient): readonly Patient[] => {
  const client = useClient();
  const [born, setBorn] = useState<readonly Patient[]>([]);
  const { birthDate } = patient;
  useEffect(() => {
    setBorn([]);
    if (birthDate === undefined) return;
    client.searchPage('Patient', { birthdate: birthDate, _count: '100' }, { isForm: true }).then(
      ({ resources }) => setBorn(resources),
      // The chart is read without them.
      () => {},
    );
  }, [client, birthDate]);
  return born.filter((other) => isSimilar(patient, other));
};
