import * as E from 'fp-ts/lib/Either.js';
import { directoryKinds } from '../directory/kinds.ts';
import type { ClinicalError, Result } from '../errors.ts';
import { createDraft } from '../records/draft.ts';
import { transact } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';
import type { Decide, Intake, Outcome } from './intake.ts';
import { inTurn, isCareTeam } from './turn.ts';
import type { Unpacked } from './unpack.ts';

/** What takes in the resources of each type, on a given store. */
export type IntakesOn = (store: ClinicalStore) => Readonly<Record<string, Intake>>;

/** What became of a resource. */
export type Taken = readonly [Unpacked, E.Either<ClinicalError, Outcome>];

/** Every store takes a thousand changes and a thousand premises in a commit; no resource adds a hundred to them, but a team's members. */
const mostInCommit = 900;

const failureIn = (result: Taken[1]): ClinicalError | null =>
  E.isLeft(result) && result.left._tag === 'StoreFailure' ? result.left : null;

/** What became of a batch, and what ended it, where the store or the host failed: what was decided before that is committed. */
type BatchOutcome = { readonly taken: readonly Taken[]; readonly failure: ClinicalError | null };

/** How often a batch is decided as one; if others keep writing to its records, each resource is then committed by itself. */
const mostDrafts = 3;

const inDirectory: ReadonlySet<string> = new Set(Object.keys(directoryKinds));

/** Takes batches in, each in one commit if that can hold it. What became of each resource is returned in the order of the batch. */
export const takingBatches = (store: ClinicalStore, intakesOn: IntakesOn) => {
  const draft = createDraft(store, (type) => inDirectory.has(type));
  const onDraft = intakesOn(draft.store);
  const onStore = intakesOn(store);
  const isFull = () => draft.size() >= mostInCommit;

  /** Decides as many on the draft, one after the other, as its commit can hold. */
  const decideSome = async (resources: readonly Unpacked[], mayFollow: boolean): Promise<BatchOutcome> => {
    const taken: Taken[] = [];
    const lookUp = (resource: Unpacked) => (onDraft[resource.type] as Intake)(resource.content, mayFollow)();
    /** The failure that ends the batch, if there is one. */
    const decide = async (resource: Unpacked, found: E.Either<ClinicalError, Decide>) => {
      const result = E.isLeft(found) ? found : await transact(draft.store)(found.right)();
      const failure = failureIn(result);
      if (failure === null) taken.push([resource, result]);
      return failure;
    };

    for (const resource of resources) {
      if (isCareTeam(resource)) break;
      if (isFull()) return { taken, failure: null };
      const failure = await decide(resource, await lookUp(resource));
      if (failure !== null) return { taken, failure };
    }
    // A team is dated when it is decided, and nothing that takes long may come between that and its commit.
    const found: (readonly [Unpacked, E.Either<ClinicalError, Decide>])[] = [];
    for (const careTeam of resources.filter(isCareTeam)) found.push([careTeam, await lookUp(careTeam)]);
    for (const [careTeam, looked] of found) {
      if (isFull()) break;
      const failure = await decide(careTeam, looked);
      if (failure !== null) return { taken, failure };
    }
    return { taken, failure: null };
  };

  /** Takes each in by itself. */
  const takeEach = async (resources: readonly Unpacked[], mayFollow: boolean): Promise<BatchOutcome> => {
    const taken: Taken[] = [];
    for (const resource of resources) {
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

  const takeSome =
    (resources: readonly Unpacked[], mayFollow: boolean): Result<BatchOutcome> =>
    async () => {
      let drafts = 0;
      const some = await transact(store)(async () => {
        drafts += 1;
        if (drafts > 1) draft.clear();
        // Each resource was committed as it was taken, and nothing is left.
        if (drafts > mostDrafts)
          return E.right({ changes: [], answer: await takeEach(resources, mayFollow) });
        const answer = await decideSome(resources, mayFollow);
        return E.right({ ...draft.commit(), answer });
      })();
      if (E.isRight(some)) draft.next();
      else draft.clear();
      return some;
    };

  return (batch: readonly Unpacked[], mayFollow: boolean): Result<BatchOutcome> =>
    async () => {
      const resources = inTurn(batch);
      const results = new Map<Unpacked, Taken[1]>();
      let failure: ClinicalError | null = null;
      while (failure === null && results.size < resources.length) {
        const some = await takeSome(resources.slice(results.size), mayFollow)();
        if (E.isLeft(some)) return some;
        for (const [resource, result] of some.right.taken) results.set(resource, result);
        failure = some.right.failure;
      }
      const taken = batch.flatMap((resource): readonly Taken[] => {
        const result = results.get(resource);
        return result === undefined ? [] : [[resource, result]];
      });
      return E.right({ taken, failure });
    };
};
