import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalError, Result } from '../errors.ts';
import { createDraft } from '../records/draft.ts';
import { transact } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';
import type { Intake, Outcome } from './intake.ts';
import type { Unpacked } from './unpack.ts';

/** What takes in the resources of each type, on a given store. */
export type IntakesOn = (store: ClinicalStore) => Readonly<Record<string, Intake>>;

/** What became of each resource. */
type Taken = readonly (readonly [Unpacked, E.Either<ClinicalError, Outcome>])[];

/** One resource after the other. */
const takeEach = async (
  intakes: ReturnType<IntakesOn>,
  batch: readonly Unpacked[],
  mayFollow: boolean,
): Promise<E.Either<ClinicalError, Taken>> => {
  const taken: [Unpacked, E.Either<ClinicalError, Outcome>][] = [];
  for (const resource of batch) {
    const result = await intakes[resource.type]?.(resource.content, mayFollow)();
    if (result === undefined) continue;
    if (E.isLeft(result) && result.left._tag === 'StoreFailure') return result;
    taken.push([resource, result]);
  }
  return E.right(taken);
};

/**
 * The types of which each resource is committed by itself: members of care teams, which take on a name once it is committed,
 * and care teams, which are dated when they are decided and must not wait for a batch.
 */
const committedAlone: ReadonlySet<string> = new Set(['Practitioner', 'Organization', 'CareTeam']);

/** How often a batch is decided as one; if others keep writing to its records, each resource is then committed by itself. */
const mostDrafts = 3;

/** Takes a batch in, and commits all of it at once. */
export const takeBatch =
  (store: ClinicalStore, intakesOn: IntakesOn) =>
  (batch: readonly Unpacked[], mayFollow: boolean): Result<Taken> =>
  () => {
    let draftsLeft = batch.some(({ type }) => committedAlone.has(type)) ? 0 : mostDrafts;
    return transact(store)(async () => {
      const draft = draftsLeft > 0 ? createDraft(store) : null;
      draftsLeft -= 1;
      const taken = await takeEach(intakesOn(draft?.store ?? store), batch, mayFollow);
      // Without a draft, each resource was committed as it was taken, and nothing is left.
      return E.map((answer: Taken) => ({ changes: [], ...draft?.commit(), answer }))(taken);
    })();
  };
