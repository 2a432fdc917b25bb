import { useEffect, useState } from 'preact/hooks';
import { errorWords } from '../../model/error-words.ts';
import { listedName } from '../../model/names.ts';
import type { Patient } from '../../model/resources.ts';
import { searchesFor } from '../../model/search/people-search.ts';
import { useClient } from '../contexts.ts';

/** The patients whom a text finds: the first of them by name, and how many there are. */
type FoundPatients = {
  readonly text: string;
  readonly patients: readonly Patient[];
  readonly total: number;
};

/** Searches again with each change of the text. Until the response is there, those of an earlier text are returned. */
export const usePatientSearch = (
  text: string,
  most: number,
): { readonly found: FoundPatients | null; readonly error: string } => {
  const client = useClient();
  const [found, setFound] = useState<FoundPatients | null>(null);
  const [error, setError] = useState('');
  useEffect(() => {
    const abort = new AbortController();
    const search = async () => {
      const { signal } = abort;
      const pages = await Promise.all(
        searchesFor(text, navigator.language).map((parameters) =>
          client.searchPage('Patient', { ...parameters, _count: `${most}` }, { isForm: true, signal }),
        ),
      );
      const all = pages.flatMap(({ resources }) => resources);
      const patients = [...new Map(all.map((patient) => [patient.id, patient])).values()];
      const total = pages.reduce((sum, page) => sum + (page.total ?? 0), 0);
      setFound({
        text,
        patients: patients.toSorted((a, b) => listedName(a.name).localeCompare(listedName(b.name))),
        // A patient whom the number and the birth date find is one patient.
        total: total - (all.length - patients.length),
      });
      setError('');
    };
    search().catch((cause) => {
      if (!abort.signal.aborted) setError(errorWords(cause));
    });
    return () => abort.abort();
  }, [client, text, most]);
  return { found, error };
};
