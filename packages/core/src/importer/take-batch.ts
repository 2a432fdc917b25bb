import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalError, Result } from '../errors.ts';
import { createDraft } from '../records/draft.ts';
import { transact } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';
import type { Decide, Intake, Outcome } from './intake.ts';
import type { Unpacked } from './unpack.ts';

/** What takes in the resources of each type, on a given store. */
export type IntakesOn = (store: ClinicalStore) => Readonly<Record<string, Intake>>;

/** What became of a resource. */
export type Taken = readonly [Unpacked, E.Either<ClinicalError, Outcome>];

/** The types to which others refer: in a batch, these come first, so that little has to wait. */
const firstTypes: readonly string[] = ['Organization', 'Practitioner', 'Patient', 'Encounter'];

/**
 * Care teams come last. A team is dated when it is decided, and nothing that takes long may come between that and its commit:
 * so all of them are looked up before the first is decided.
 */
const lastType = 'CareTeam';

/** The resources of a batch as their types have to come, those of a type as they came. */
const inTurn = (batch: readonly Unpacked[]) => {
  const rest = batch.filter(({ type }) => !firstTypes.includes(type) && type !== lastType);
  const first = firstTypes.flatMap((first) => batch.filter(({ type }) => type === first));
  return { resources: [...first, ...rest], careTeams: batch.filter(({ type }) => type === lastType) };
};

const failureIn = (result: Taken[1]): ClinicalError | null =>
  E.isLeft(result) && result.left._tag === 'StoreFailure' ? result.left : null;

/** What became of a batch, and what ended it, where the store or the host failed: what was decided before that is committed. */
type BatchOutcome = { readonly taken: readonly Taken[]; readonly failure: ClinicalError | null };

/** How often a batch is decided as one; if others keep writing to its records, each resource is then committed by itself. */
const mostDrafts = 3;

/** Takes batches in, each in one commit. What became of each resource is returned in the order of the batch. */
export const takingBatches = (store: ClinicalStore, intakesOn: IntakesOn) => {
  const draft = createDraft(store);
  const onDraft = intakesOn(draft.store);
  const onStore = intakesOn(store);

  /** Decides all on the draft. */
  const decideAll = async (batch: readonly Unpacked[], mayFollow: boolean): Promise<BatchOutcome> => {
    const results = new Map<Unpacked, Taken[1]>();
    const outcome = (failure: ClinicalError | null): BatchOutcome => ({
      taken: batch.flatMap((resource) => {
        const result = results.get(resource);
        return result === undefined ? [] : [[resource, result]];
      }),
      failure,
    });
    const lookUp = (resource: Unpacked) => (onDraft[resource.type] as Intake)(resource.content, mayFollow)();
    const decide = async (found: E.Either<ClinicalError, Decide>) =>
      E.isLeft(found) ? found : transact(draft.store)(found.right)();

    const { resources, careTeams } = inTurn(batch);
    for (const resource of resources) {
      const result = await decide(await lookUp(resource));
      const failure = failureIn(result);
      if (failure !== null) return outcome(failure);
      results.set(resource, result);
    }
    const found: (readonly [Unpacked, E.Either<ClinicalError, Decide>])[] = [];
    for (const careTeam of careTeams) found.push([careTeam, await lookUp(careTeam)]);
    for (const [careTeam, looked] of found) {
      const result = await decide(looked);
      const failure = failureIn(result);
      if (failure !== null) return outcome(failure);
      results.set(careTeam, result);
    }
    return outcome(null);
  };

  /** Takes each in by itself. */
  const takeEach = async (batch: readonly Unpacked[], mayFollow: boolean): Promise<BatchOutcome> => {
    const taken: Taken[] = [];
    for (const resource of batch) {
      const result = await transact(store)(async () => {
        const found = await (onStore[resource.type] as Intake)(resource.content, mayFollow)();
        return E.isLeft(found) ? found : found.right();
      })();
      const failure = failureIn(result);
      if (failure !== null) return { taken, failure };
      taken.push([resource, result]);
    }
    return { taken, failure: null };
  };

  return (batch: readonly Unpacked[], mayFollow: boolean): Result<BatchOutcome> => {
    let draftsLeft = mostDrafts;
    return transact(store)(async () => {
      draftsLeft -= 1;
      // Each resource was committed as it was taken, and nothing is left.
      if (draftsLeft < 0) return E.right({ changes: [], answer: await takeEach(batch, mayFollow) });
      draft.clear();
      const answer = await decideAll(batch, mayFollow);
      return E.right({ ...draft.commit(), answer });
    });
  };
};
