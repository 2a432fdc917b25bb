import {
  anyVersion,
  type ClinicalStore,
  type Commit,
  isExpectedVersion,
  type RecordChange,
  type RecordRef,
  type StoreError,
} from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import { isLeft, isRight, left, right } from 'fp-ts/lib/Either.js';
import { commitOneByOne, expectAny } from './commits.ts';
import { keyOf, mutant, rewriteChanges } from './mutant.ts';

const actualOf = async (store: ClinicalStore, ref: RecordRef): Promise<number | null> => {
  const current = await store.read(ref);
  return isRight(current) ? (current.right?.version ?? null) : null;
};

const onConflict = (
  store: ClinicalStore,
  tell: (error: Extract<StoreError, { _tag: 'Conflict' }>, commit: Commit) => StoreError,
): Partial<ClinicalStore> => ({
  commit: async (wanted) =>
    E.mapLeft((error: StoreError) => (error._tag === 'Conflict' ? tell(error, wanted) : error))(
      await store.commit(wanted),
    ),
});

export const expectationMutants = [
  mutant(
    'a version check apart from the write',
    'of several commits that expect the same version exactly one succeeds',
    (store) => ({
      commit: async ({ changes, versionChecks }) => {
        for (const { type, id, expects } of [...changes, ...versionChecks]) {
          const actual = await actualOf(store, { type, id });
          if (!isExpectedVersion(expects, actual))
            return left({ _tag: 'Conflict', ref: { type, id }, actual });
        }
        return store.commit({ changes: changes.map(expectAny), versionChecks: [] });
      },
    }),
  ),
  mutant(
    'a comparison of the version checks apart from the write',
    'of two commits that check that a record is at its first version, and that each change this record, exactly one succeeds',
    (store) => ({
      commit: async ({ changes, versionChecks }) => {
        const checked = await store.commit({ changes: [], versionChecks });
        return isLeft(checked) ? checked : store.commit({ changes, versionChecks: [] });
      },
    }),
  ),
  mutant(
    'a lock on the records of version checks, although an absent record cannot be locked',
    'of two commits that check that a record is absent, and that each change this record, exactly one succeeds',
    (store) => ({
      commit: async ({ changes, versionChecks }) => {
        const locked = versionChecks.filter(({ expects }) => expects._tag !== 'Absent');
        const checked = await store.commit({ changes: [], versionChecks });
        return isLeft(checked) ? checked : store.commit({ changes, versionChecks: locked });
      },
    }),
  ),
  mutant(
    'Absent mistaken for Any',
    'a change that expects Absent is refused for a record at its first version',
    rewriteChanges((change) => (change.expects._tag === 'Absent' ? expectAny(change) : change)),
  ),
  mutant(
    'an expected version that lets an absent record be created',
    'a change that expects the first version is refused for a record that is absent',
    (store) => ({
      commit: async (wanted) => {
        const changes: RecordChange[] = [];
        for (const change of wanted.changes) {
          const isNew = (await actualOf(store, change)) === null;
          changes.push(isNew && change.expects._tag === 'Version' ? expectAny(change) : change);
        }
        return store.commit({ ...wanted, changes });
      },
    }),
  ),
  mutant(
    'a conflict with the expected version instead of the actual one',
    'commits that expected the same version and lost get the actual version, and write nothing',
    (store) =>
      onConflict(store, (error, { changes }) => {
        const expects = changes.find((one) => keyOf(one) === keyOf(error.ref))?.expects;
        return expects?._tag === 'Version' ? { ...error, actual: expects.version } : error;
      }),
  ),
  mutant(
    'a conflict that names the last record that was not as expected',
    'a conflict names the first record with another version, of the changes and then of the version checks',
    (store) => ({
      commit: async ({ changes, versionChecks }) => {
        const reversed = { changes: changes.toReversed(), versionChecks: versionChecks.toReversed() };
        const outcome = await store.commit(reversed);
        return isRight(outcome) ? right(outcome.right.toReversed()) : outcome;
      },
    }),
  ),
  mutant(
    'version checks that are ignored',
    'a failed version check writes nothing and is named in the conflict',
    (store) => ({ commit: ({ changes }) => store.commit({ changes, versionChecks: [] }) }),
  ),
  mutant(
    'version checks that are ignored if the record is changed as well',
    'a version check on a record that the commit changes is compared with the version before',
    (store) => ({
      commit: ({ changes, versionChecks }) => {
        const changed = new Set(changes.map(keyOf));
        return store.commit({
          changes,
          versionChecks: versionChecks.filter((one) => !changed.has(keyOf(one))),
        });
      },
    }),
  ),
  mutant('version checks that are written', 'a version check writes nothing', (store) => ({
    commit: async (wanted) => {
      const outcome = await store.commit(wanted);
      for (const check of isRight(outcome) ? wanted.versionChecks : []) {
        const current = await store.read(check);
        if (isLeft(current) || current.right === null) continue;
        await commitOneByOne(store, [{ ...current.right, index: [], expects: anyVersion }]);
      }
      return outcome;
    },
  })),
];
