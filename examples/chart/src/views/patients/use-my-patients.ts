import { useEffect, useState } from 'preact/hooks';
import { loadMyPatients } from '../../api/my-patients.ts';
import { errorWords } from '../../model/error-words.ts';
import type { PatientAtWork } from '../../model/work.ts';
import { useClient, useUser } from '../contexts.ts';

/** The patients of the user who is signed in, once they are read; none if it is not known who that is. */
export const useMyPatients = (): {
  readonly mine: readonly PatientAtWork[] | null;
  readonly error: string;
} => {
  const client = useClient();
  const { practitionerId } = useUser();
  const [mine, setMine] = useState<readonly PatientAtWork[] | null>(practitionerId === null ? [] : null);
  const [error, setError] = useState('');
  useEffect(() => {
    if (practitionerId === null) return;
    loadMyPatients(client, practitionerId).then(setMine, (cause) => {
      // All patients are found without them.
      setMine([]);
      setError(errorWords(cause));
    });
  }, [client, practitionerId]);
  return { mine, error };
};
