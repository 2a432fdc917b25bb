import type { ClinicalStore, RecordChange, StoredRecord, StoreOutcome } from '@clinical-records/core/store';
import { isLeft, isRight, right } from 'fp-ts/lib/Either.js';
import { expectAny } from './commits.ts';
import { keyOf, mutant, nextTurn } from './mutant.ts';

/** Asks twice, with a turn in between, and makes one answer of both. */
const tearRead = async <A>(ask: () => StoreOutcome<A>, joined: (one: A, other: A) => A): StoreOutcome<A> => {
  const one = await ask();
  await nextTurn();
  const other = await ask();
  return isRight(one) && isRight(other) ? right(joined(one.right, other.right)) : other;
};

/** A commit of which others see one change after the other, a turn apart. */
const commitInPieces = (store: ClinicalStore): Pick<ClinicalStore, 'commit'> => ({
  commit: async ({ changes, versionChecks }) => {
    const checked = await store.commit({ changes: [], versionChecks: [...changes, ...versionChecks] });
    if (isLeft(checked)) return checked;
    const versions: number[] = [];
    for (const change of changes) {
      const outcome = await store.commit({ changes: [expectAny(change)], versionChecks: [] });
      if (isLeft(outcome)) return outcome;
      versions.push(...outcome.right);
      await nextTurn();
    }
    return right(versions);
  },
});

export const consistentReadMutants = [
  mutant(
    'a total that is counted after the page was read',
    'a page and its total are of one moment, whatever is committed meanwhile',
    (store) => ({
      search: (query) =>
        tearRead(
          () => store.search(query),
          (page, { total }) => ({ ...page, total }),
        ),
    }),
  ),
  mutant(
    'half a commit that searches find',
    'a page and its total are of one moment, whatever is committed meanwhile',
    commitInPieces,
  ),
  mutant(
    'index entries that are looked up after the records',
    'records in a scan and their index entries are of one moment, whatever is committed meanwhile',
    (store) => ({
      scan: (since) =>
        tearRead(
          () => store.scan(since),
          (records, then) => records.map((record, at) => ({ ...record, index: then[at]?.index ?? [] })),
        ),
    }),
  ),
  mutant(
    'past versions that are looked up after the current one',
    'versions in a history are of one moment, whatever is committed meanwhile',
    (store) => ({
      history: (range) =>
        tearRead(
          () => store.history(range),
          ([now], [, ...past]) => (now ? [now, ...past] : []),
        ),
    }),
  ),
  mutant(
    'half a commit that the feed shows',
    'the feed shows all of a commit or nothing of it, whatever is committed meanwhile',
    commitInPieces,
  ),
  mutant(
    'changes that are read before their commit is refused',
    'a record is read as some commit has written it, never as a refused commit would have',
    (store) => {
      const begun = new Map<string, RecordChange>();
      return {
        commit: async (wanted) => {
          for (const change of wanted.changes) begun.set(keyOf(change), change);
          await nextTurn();
          const outcome = await store.commit(wanted);
          begun.clear();
          return outcome;
        },
        read: async (ref) => {
          const change = begun.get(keyOf(ref));
          return change === undefined ? store.read(ref) : right({ ...change, version: 1 });
        },
      };
    },
  ),
  mutant(
    'a record that is overwritten after it was returned',
    'a result does not change, whatever is committed afterwards',
    (store) => {
      const records = new Map<string, StoredRecord>();
      return {
        read: async (ref) => {
          const outcome = await store.read(ref);
          if (isLeft(outcome) || outcome.right === null) return outcome;
          const record = { ...outcome.right };
          records.set(keyOf(ref), record);
          return right(record);
        },
        commit: async (wanted) => {
          const outcome = await store.commit(wanted);
          for (const change of wanted.changes) Object.assign(records.get(keyOf(change)) ?? {}, change);
          return outcome;
        },
      };
    },
  ),
];
