import {
  type ClinicalStore,
  type StoredRecord,
  type StoredResource,
  storedResource,
} from '@clinical-records/core';
import { altered, mutant } from './mutant.ts';

/** A resource that is made of all versions of its record, newest first. */
const readFrom =
  (different: (versions: readonly StoredRecord[]) => StoredResource | null) =>
  (store: ClinicalStore): Pick<ClinicalStore, 'readResource'> => ({
    readResource: (ref) => altered(store.history(ref), different),
  });

const newest = ([record]: readonly StoredRecord[]) => record && storedResource(record);

export const readingMutants = [
  mutant(
    'a resource read from the first version of its record',
    'a resource is read as it stands, with its patient, version and time, and no more',
    readFrom((versions) => newest(versions.toReversed()) ?? null),
  ),
  mutant(
    'a resource that is read with the state of its record',
    'a resource is read as it stands, with its patient, version and time, and no more',
    readFrom((versions) => {
      const resource = newest(versions) ?? null;
      return resource && { ...resource, state: versions[0]?.state };
    }),
  ),
  mutant(
    'a resource that stays readable when its record has none any longer',
    'there is no resource to be read of a record that is absent, or has none at the moment',
    readFrom((versions) => newest(versions.filter(({ resource }) => resource !== null)) ?? null),
  ),
  mutant(
    'a resource read an answer late',
    'once a commit answers, every function tells what was written',
    (store) => {
      let before: StoredResource | null = null;
      return {
        readResource: (ref) =>
          altered(store.readResource(ref), (now) => {
            const late = before;
            before = now;
            return late;
          }),
      };
    },
  ),
];
