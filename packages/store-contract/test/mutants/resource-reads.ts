import {
  type ClinicalStore,
  type StoredRecord,
  type StoredResource,
  toStoredResource,
} from '@clinical-records/core/store';
import { everything, mapResult, mutant } from './mutant.ts';

/** A resource that is made of all versions of its record, newest first. */
const readFromHistory =
  (different: (versions: readonly StoredRecord[]) => StoredResource | null) =>
  (store: ClinicalStore): Pick<ClinicalStore, 'readResource'> => ({
    readResource: ({ type, id }) =>
      mapResult(store.changesSince(everything), (entries) =>
        different(entries.filter((entry) => entry.type === type && entry.id === id).toReversed()),
      ),
  });

const newest = ([record]: readonly StoredRecord[]) => record && toStoredResource(record);

export const resourceReadMutants = [
  mutant(
    'a resource read from the first version of its record',
    'readResource returns the current resource with its patient, version and time, and no more',
    readFromHistory((versions) => newest(versions.toReversed()) ?? null),
  ),
  mutant(
    'a resource that is read with the state of its record',
    'readResource returns the current resource with its patient, version and time, and no more',
    readFromHistory((versions) => {
      const resource = newest(versions) ?? null;
      return resource && { ...resource, state: versions[0]?.state };
    }),
  ),
  mutant(
    'a resource that stays readable after its record has none',
    'readResource returns null for a record that is absent, or has no resource at the moment',
    readFromHistory((versions) => newest(versions.filter(({ resource }) => resource !== null)) ?? null),
  ),
  mutant(
    'a resource that is read one result late',
    'once a commit returns, every function shows what was written',
    (store) => {
      let before: StoredResource | null = null;
      return {
        readResource: (ref) =>
          mapResult(store.readResource(ref), (now) => {
            const late = before;
            before = now;
            return late;
          }),
      };
    },
  ),
];
