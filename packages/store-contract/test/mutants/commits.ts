import {
  anyVersion,
  type ClinicalStore,
  type Commit,
  type RecordChange,
  type StoreError,
} from '@clinical-records/core/store';
import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';
import { keyOf, mapResult, mutant, nextTurn, observeCommits } from './mutant.ts';

export const expectAny = (change: RecordChange): RecordChange => ({ ...change, expects: anyVersion });

/** Writes each change in a commit of its own, up to the first that is refused. */
export const commitOneByOne = async (
  store: ClinicalStore,
  changes: readonly RecordChange[],
): Promise<Either<StoreError, readonly number[]>> => {
  const versions: number[] = [];
  for (const change of changes) {
    const outcome = await store.commit({ changes: [change], versionChecks: [] });
    if (isLeft(outcome)) return outcome;
    versions.push(...outcome.right);
  }
  return right(versions);
};

const limitTo999 =
  (partsOf: (commit: Commit) => readonly unknown[]) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({
    commit: async (wanted) =>
      partsOf(wanted).length > 999
        ? left({ _tag: 'Unavailable', message: 'too many', cause: null })
        : store.commit(wanted),
  });

export const commitMutants = [
  mutant(
    'a limit of 999 changes',
    'a commit can have a thousand changes and a thousand version checks',
    limitTo999(({ changes }) => changes),
  ),
  mutant(
    'a limit of 999 version checks',
    'a commit can have a thousand changes and a thousand version checks',
    limitTo999(({ versionChecks }) => versionChecks),
  ),
  mutant(
    'a limit of 999 index entries of a record',
    'a change can have a thousand index entries',
    limitTo999(({ changes }) => changes[0]?.index ?? []),
  ),
  mutant(
    'large commits that are written in parts',
    'none of a thousand changes is written if the last of a thousand version checks fails',
    (store) => ({
      commit: async ({ changes, versionChecks }) => {
        const half = changes.length > 500 ? 500 : 0;
        const first = await store.commit({ changes: changes.slice(0, half), versionChecks: [] });
        if (isLeft(first)) return first;
        const rest = await store.commit({ changes: changes.slice(half), versionChecks });
        return isLeft(rest) ? rest : right([...first.right, ...rest.right]);
      },
    }),
  ),
  mutant('half a commit that is kept', 'a commit writes nothing if its last change is refused', (store) => ({
    commit: ({ changes }) => commitOneByOne(store, changes),
  })),
  mutant(
    'a commit that others can write in between',
    'the changes of one commit are together, in their order',
    (store) => ({
      commit: async ({ changes, versionChecks }) => {
        const checked = await store.commit({
          changes: [],
          versionChecks: [...changes, ...versionChecks],
        });
        return isLeft(checked) ? checked : commitOneByOne(store, changes.map(expectAny));
      },
    }),
  ),
  mutant(
    'versions that are returned in the order of the ids',
    'a commit writes all of its changes, and returns their versions in the order of the changes',
    (store) => ({
      commit: ({ changes, versionChecks }) =>
        store.commit({ changes: changes.toSorted((a, b) => (a.id < b.id ? -1 : 1)), versionChecks }),
    }),
  ),
  mutant(
    'versions that count from 0',
    'versions of a record count 1, 2, 3 without a gap, refused commits in between or not',
    (store) => ({
      commit: (wanted) => mapResult(store.commit(wanted), (versions) => versions.map((one) => one - 1)),
    }),
  ),
  mutant(
    'a commit that names a record twice, in which the last change wins',
    'a commit that names a record twice among its changes is Unavailable, and writes nothing',
    (store) => ({
      commit: ({ changes, versionChecks }) =>
        store.commit({
          changes: [...new Map(changes.map((one) => [keyOf(one), one])).values()],
          versionChecks,
        }),
    }),
  ),
  mutant(
    'a commit that is reported as Unavailable, and is written anyway',
    'a commit that names a record twice among its changes is Unavailable, and writes nothing',
    (store) => ({
      commit: async ({ changes, versionChecks }) => {
        const once = [...new Map(changes.map((one) => [keyOf(one), one])).values()];
        const outcome = await store.commit({ changes: once, versionChecks });
        return once.length === changes.length
          ? outcome
          : left({ _tag: 'Unavailable', message: 'named twice', cause: null });
      },
    }),
  ),
  mutant(
    'names that are joined before they are compared',
    'records are different if their types and ids are equal only when they are joined',
    (store) => ({
      commit: async (wanted) =>
        new Set(wanted.changes.map(keyOf)).size === wanted.changes.length
          ? store.commit(wanted)
          : left({ _tag: 'Unavailable', message: 'named twice', cause: null }),
    }),
  ),
  mutant(
    'commits of one turn that share their fate',
    'a commit that conflicts does not affect others that run at the same time',
    (store) => {
      let failed: StoreError | null = null;
      return {
        commit: async (wanted) => {
          const outcome = await store.commit(wanted);
          if (isLeft(outcome)) failed = outcome.left;
          await nextTurn();
          return failed === null ? outcome : left(failed);
        },
      };
    },
  ),
  mutant(
    'locks that are acquired in the order in which a commit names its records, with a long timeout',
    'two commits that name the same records in opposite orders both succeed',
    (store) => {
      const locked = new Set<string>();
      return {
        commit: async (wanted) => {
          const held: string[] = [];
          const lock = async (name: string): Promise<boolean> => {
            for (let turns = 0; locked.has(name); turns += 1) {
              if (turns === 20) return false;
              await nextTurn();
            }
            locked.add(name);
            held.push(name);
            await nextTurn();
            return true;
          };
          let isLocked = true;
          for (const change of wanted.changes) isLocked &&= await lock(keyOf(change));
          const outcome = isLocked
            ? await store.commit(wanted)
            : left({ _tag: 'Unavailable' as const, message: 'deadlock detected', cause: null });
          for (const name of held) locked.delete(name);
          return outcome;
        },
      };
    },
  ),
  mutant(
    'a result before the commit is applied',
    'once a commit returns, every function shows what was written',
    (store) => {
      // Reads lag behind by a turn of the event loop, as those of a replica do.
      const lagging = new Map<string, Awaited<ReturnType<ClinicalStore['read']>>>();
      return {
        ...observeCommits(store, (changes) => {
          for (const { type, id } of changes)
            setImmediate(async () => lagging.set(keyOf({ type, id }), await store.read({ type, id })));
        }),
        read: async (ref) => lagging.get(keyOf(ref)) ?? right(null),
      };
    },
  ),
  mutant(
    'a list of index entries that is copied without its entries',
    'written records do not change if parts of the commit are modified afterwards',
    (store) => {
      const held = new Map<string, RecordChange['index']>();
      return {
        ...observeCommits(store, (changes) => {
          for (const change of changes) held.set(keyOf(change), [...change.index]);
        }),
        scan: (since) =>
          mapResult(store.scan(since), (records) =>
            records.map((record) => ({ ...record, index: held.get(keyOf(record)) ?? [] })),
          ),
      };
    },
  ),
  mutant(
    'index entries that are stored without a copy',
    'written records do not change if parts of the commit are modified afterwards',
    (store) => {
      const held = new Map<string, RecordChange['index']>();
      return {
        ...observeCommits(store, (changes) => {
          for (const change of changes) held.set(keyOf(change), change.index);
        }),
        search: (query) =>
          mapResult(store.search(query), (page) => ({
            ...page,
            matches: page.matches.filter(
              (one) => (held.get(keyOf({ type: query.type, id: one.id })) ?? []).length > 0,
            ),
          })),
      };
    },
  ),
];
