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
    'a search that does not look at the index version',
    'a store has index version 1 until a commit sets another, and an older index is reported',
    (store) => ({ search: ({ indexVersion: _, ...query }) => store.search(query) }),
  ),
];
