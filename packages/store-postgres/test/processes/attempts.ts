import { anyVersion, type ClinicalStore, exactVersion, noVersion } from '@clinical-records/core/store';
import { isRight } from 'fp-ts/lib/Either.js';
import { change, ref, resultOf } from '../store-helpers.ts';

/** A record, and the version that a commit expects; 0 if there is none, null for any. */
export type Expected = { readonly id: string; readonly version: number | null };

/** A commit of a process, and what became of it. */
export type Attempt = {
  readonly changes: readonly Expected[];
  readonly checks: readonly Expected[];
  readonly outcome:
    | { readonly written: readonly number[] }
    | { readonly conflict: string; readonly actual: number | null };
};

const expectedVersion = (version: number | null) => {
  if (version === null) return anyVersion;
  return version === 0 ? noVersion : exactVersion(version);
};

/** Commits. Anything but success and a conflict ends the process. */
const attempt = async (
  store: ClinicalStore,
  changes: readonly Expected[],
  checks: readonly Expected[] = [],
): Promise<Attempt> => {
  const result = await store.commit({
    changes: changes.map(({ id, version }) => change({ id, expects: expectedVersion(version) })),
    versionChecks: checks.map(({ id, version }) => ({ ...ref, id, expects: expectedVersion(version) })),
  });
  if (isRight(result)) return { changes, checks, outcome: { written: result.right } };
  if (result.left._tag !== 'Conflict') throw new Error(JSON.stringify(result.left));
  return { changes, checks, outcome: { conflict: result.left.ref.id, actual: result.left.actual } };
};

const current = async (store: ClinicalStore, id: string): Promise<Expected> => ({
  id,
  version: (await resultOf(store.read({ ...ref, id })))?.version ?? 0,
});

/** The number of records that each process tries to be the first to create. */
export const races = 10;

/** Makes commits of every sort. Other processes change the same records, except its own. */
export const makeAttempts = async (store: ClinicalStore, name: string): Promise<readonly Attempt[]> => {
  let count = 0;
  /** A record of this process, which shows whether all of a commit is written, or nothing. */
  const own = (): Expected => ({ id: `${name}-${count++}`, version: 0 });
  const seen = (id: string) => current(store, id);
  const inRound = async (round: number): Promise<readonly Attempt[]> => {
    const [one, other] = round % 2 === 0 ? ['shared-0', 'shared-1'] : ['shared-1', 'shared-0'];
    return Promise.all([
      attempt(store, [own()]),
      attempt(store, [own(), { id: `race-${round}`, version: 0 }]),
      attempt(store, [{ id: 'counter', version: null }, own()]),
      seen(one).then((version) => attempt(store, [own(), version])),
      Promise.all([seen(one), seen(other)]).then(([changed, checked]) =>
        attempt(store, [changed, own()], [checked]),
      ),
      seen(other).then((version) => attempt(store, [own()], [version, { id: 'absent', version: 0 }])),
    ]);
  };
  const attempts: Attempt[] = [];
  for (let round = 0; round < races; round += 1) attempts.push(...(await inRound(round)));
  return attempts;
};
