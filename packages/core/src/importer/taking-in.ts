import * as E from 'fp-ts/lib/Either.js';
import type { NamedType } from '../directory/directory.ts';
import type { ClinicalError, Result } from '../errors.ts';
import { createDraft } from '../records/draft.ts';
import type { Environment } from '../records/environment.ts';
import { transact } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';
import type { Intake, Outcome, Prospect } from './intake.ts';
import type { Unpacked } from './unpack.ts';

/** What takes in the resources of each type, on a given store. */
export type IntakesOn = (store: ClinicalStore) => Readonly<Record<string, Intake>>;

/** What became of each resource. */
type Taken = readonly (readonly [Unpacked, E.Either<ClinicalError, Outcome>])[];

/** One resource after the other, until it is too late. */
const takeEach = async (
  intakes: ReturnType<IntakesOn>,
  batch: readonly Unpacked[],
  prospect: Prospect,
  isLate = () => false,
): Promise<E.Either<ClinicalError, Taken>> => {
  const taken: [Unpacked, E.Either<ClinicalError, Outcome>][] = [];
  for (const resource of batch) {
    if (isLate()) break;
    const result = await intakes[resource.type]?.(resource.content, prospect)();
    if (result === undefined) continue;
    if (E.isLeft(result) && result.left._tag === 'StoreFailure') return result;
    taken.push([resource, result]);
  }
  return E.right(taken);
};

/** The types whose names care teams take on once they are committed: so each resource of them is committed by itself. */
const followed: ReadonlySet<string> = new Set<NamedType>(['Practitioner', 'Organization']);

/** How often a batch is decided as one; if others keep writing to its records, each resource is then committed by itself. */
const mostDrafts = 3;

/**
 * How long the first decision of a batch of care teams may wait for its commit, in milliseconds; if it takes longer, each is
 * committed by itself. Whoever reads a team in that time sees neither who joins, nor by its date that somebody has.
 */
const longestWait = 1_000;

/** Takes a batch in, and commits all of it at once. */
export const takingIn =
  ({ store, now }: Pick<Environment, 'store' | 'now'>, intakesOn: IntakesOn) =>
  (batch: readonly Unpacked[], prospect: Prospect): Result<Taken> =>
  () => {
    const type = batch[0]?.type ?? '';
    let draftsLeft = batch.length === 1 || followed.has(type) ? 0 : mostDrafts;
    const oneByOne = async () =>
      E.map((answer: Taken) => ({ changes: [], answer }))(await takeEach(intakesOn(store), batch, prospect));
    return transact(store)(async () => {
      if (draftsLeft === 0) return oneByOne();
      draftsLeft -= 1;
      const draft = createDraft(store);
      const begun = now();
      const isLate = () => type === 'CareTeam' && now() - begun > longestWait;
      const taken = await takeEach(intakesOn(draft.store), batch, prospect, isLate);
      if (E.isLeft(taken)) return taken;
      return isLate() ? oneByOne() : E.right({ ...draft.commit(), answer: taken.right });
    })();
  };
