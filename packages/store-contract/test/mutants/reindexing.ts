import { type ClinicalStore, exactVersion, type Reindexing } from '@clinical-records/core/store';
import { type Mutant, mutant } from './mutant.ts';

/** The store with something else done for the commits that reindex. */
const replaceReindexing =
  (replaced: (store: ClinicalStore, reindexing: Reindexing) => ReturnType<ClinicalStore['commit']>) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({
    commit: (commit) =>
      commit.reindexing === undefined ? store.commit(commit) : replaced(store, commit.reindexing),
  });

const commitOf = (reindexing: Reindexing) => ({ changes: [], versionChecks: [], reindexing });

export const reindexingMutants: readonly Mutant[] = [
  mutant(
    'index entries that are added to those before',
    'a reindexed record is found by its new index entries, and no longer by those before',
    replaceReindexing(async (store, { records, ...rest }) => {
      const scanned = await store.scan({ limit: 10_000 });
      const before = scanned._tag === 'Right' ? scanned.right : [];
      const joined = records.map((record) => ({
        ...record,
        index: [...record.index, ...(before.find(({ id }) => id === record.id)?.index ?? [])],
      }));
      return store.commit(commitOf({ ...rest, records: joined }));
    }),
  ),
  mutant(
    'reindexing by new versions',
    'reindexing changes neither versions nor the feed',
    replaceReindexing(async (store, { records }) => {
      const scanned = await store.scan({ limit: 10_000 });
      const before = scanned._tag === 'Right' ? scanned.right : [];
      const changes = records.flatMap((record) => {
        const found = before.find(({ id }) => id === record.id);
        return found === undefined ? [] : [{ ...found, ...record }];
      });
      return store.commit({ changes, versionChecks: [] });
    }),
  ),
  mutant(
    'reindexing whatever the version is',
    'reindexing a record with another version than expected is a conflict, and nothing is written',
    replaceReindexing(async (store, { records, ...rest }) => {
      const scanned = await store.scan({ limit: 10_000 });
      const versions = new Map(
        scanned._tag === 'Right' ? scanned.right.map((one) => [one.id, one.version]) : [],
      );
      const current = records.map((one) => ({ ...one, expects: exactVersion(versions.get(one.id) ?? 0) }));
      return store.commit(commitOf({ ...rest, records: current }));
    }),
  ),
  mutant(
    'a reindexing that forgets the texts of other parameters',
    'a parameter has the text of the last reindexing that named it, and none at first',
    replaceReindexing(async (store, { records, parameters }) => {
      const indexed = await store.indexedParameters();
      const before = indexed._tag === 'Right' ? Object.keys(indexed.right) : [];
      const none = Object.fromEntries(before.map((name) => [name, '']));
      return store.commit(
        commitOf({ records, ...(parameters && { parameters: { ...none, ...parameters } }) }),
      );
    }),
  ),
  mutant(
    'a reindexing of records that leaves out the parameters',
    'records and parameters are changed together',
    replaceReindexing(async (store, { records, parameters }) =>
      store.commit(
        commitOf(records.length > 0 ? { records } : { records, ...(parameters && { parameters }) }),
      ),
    ),
  ),
];
