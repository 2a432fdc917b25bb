import * as E from 'fp-ts/lib/Either.js';
import type { Following } from '../directory/following.ts';
import { type ClinicalError, type Result, storeFailure } from '../errors.ts';
import { pause } from '../records/pause.ts';
import type { ClinicalStore } from '../store/port.ts';
import { createGathering } from './batches.ts';
import { createFollower } from './follow-members.ts';
import { createTally, type ImportProblem, type ImportReport } from './report.ts';
import { type IntakesOn, takingBatches } from './take-batch.ts';
import { inTurn } from './turn.ts';
import { type Unpacked, unpacking } from './unpack.ts';

/**
 * How far a load is: how many resources were read, how many of them were taken, and how many wait for others that they
 * refer to. The waiting are taken once everything is read.
 */
export type ImportProgress = { readonly read: number; readonly taken: number; readonly waiting: number };

/** What a host is called with while a load goes on. */
export type ImportOptions = {
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with each problem as it occurs; the report holds only the first thousand. */
  readonly onProblem?: (problem: ImportProblem) => void;
};

type Resources = AsyncIterable<unknown> | Iterable<unknown>;

/** Takes in what another system has of its patients. */
export type Importer = {
  /**
   * Takes resources of another system into directory and chart: FHIR resources or Bundles, as objects or as JSON text,
   * in any order; a text alone is one item, and `ndjson` makes items of bytes. Ids and dates stay as they are, and so do
   * codes for which there is a place. What cannot be taken is reported, and stops nothing else. Loading the same resources
   * again changes nothing.
   * Errors: `StoreFailure`, where the store or the source of the resources fails (`source-failed`), `resolve` cannot answer
   * (`resolve-failed`), `onProgress` throws (`progress-failed`) or `onProblem` does (`problem-failed`); what was taken by
   * then stays.
   */
  readonly load: (resources: Resources, options?: ImportOptions) => Result<ImportReport>;
};

/** A text and bytes are one item each: what they iterate over is characters and numbers. */
const itemsOf = (resources: Resources): Resources =>
  typeof resources === 'string' || ArrayBuffer.isView(resources) ? [resources] : resources;

/** After so many resources others get a turn: a store may answer without ever giving way, and what is not kept asks none. */
const readInATurn = 1_000;

/** Whether what a resource refers to is not here, and may yet come in the same load. */
const lacksOthers = ({ _tag, faults }: ClinicalError) =>
  _tag === 'RuleViolation' && faults.some(({ rule }) => rule.startsWith('unknown-'));

/** Calls a host back. What it throws ends the load; it is not called again. */
const createCallbacks = () => {
  let failure: ClinicalError | null = null;
  return {
    calling:
      <A>(call: (value: A) => void, rule: 'progress-failed' | 'problem-failed') =>
      (value: A): void => {
        if (failure !== null) return;
        try {
          call(value);
        } catch (cause) {
          failure = storeFailure(rule, cause);
        }
      },
    outcome: (): E.Either<ClinicalError, void> => (failure === null ? E.right(undefined) : E.left(failure)),
  };
};

export const createImporter = (
  store: ClinicalStore,
  { intakesOn, follow }: { readonly intakesOn: IntakesOn; readonly follow: Following['memberAfterwards'] },
): Importer => {
  const types = new Set(Object.keys(intakesOn(store)));
  return {
    load:
      (resources, { onProgress = () => {}, onProblem = () => {} } = {}) =>
      async () => {
        const callbacks = createCallbacks();
        const tellProgress = callbacks.calling(onProgress, 'progress-failed');
        const tally = createTally(callbacks.calling(onProblem, 'problem-failed'));
        const unpack = unpacking();
        const take = takingBatches(store, intakesOn);
        const followNames = createFollower(follow);
        const gathering = createGathering<Unpacked>();
        let read = 0;
        let lacking: Unpacked[] = [];
        /** How many there are that lack others. */
        let waiting = 0;

        /** Takes what was gathered, and keeps what lacks others that may follow. */
        const takeGathered = async (mayFollow: boolean): Promise<E.Either<ClinicalError, void>> => {
          const batch = gathering.take();
          if (batch.length === 0) return callbacks.outcome();
          const done = await take(batch, mayFollow)();
          if (E.isLeft(done)) return done;
          const { taken, failure } = done.right;
          const followed = await followNames(taken);
          if (E.isLeft(followed)) return followed;
          if (failure !== null) return E.left(failure);
          for (const [resource, result] of taken) {
            if (E.isRight(result)) {
              const { countedAs, faults } = result.right;
              if (countedAs !== null) tally.count(countedAs, resource.type);
              tally.faults(resource, faults);
            } else if (mayFollow && lacksOthers(result.left)) {
              lacking.push(resource);
              waiting += 1;
            } else tally.faults(resource, result.left.faults);
          }
          tellProgress({ read, taken: tally.taken(), waiting });
          return callbacks.outcome();
        };

        /** Takes those that lacked others, as long as that helps. */
        const takeLacking = async (): Promise<E.Either<ClinicalError, void>> => {
          for (let before = Number.POSITIVE_INFINITY; lacking.length > 0; ) {
            const again = inTurn(lacking);
            const mayFollow = again.length < before;
            before = again.length;
            lacking = [];
            for (const [at, resource] of again.entries()) {
              const isFull = gathering.add(resource);
              waiting -= 1;
              if (!isFull && at < again.length - 1) continue;
              const taken = await takeGathered(mayFollow);
              if (E.isLeft(taken)) return taken;
            }
          }
          return E.right(undefined);
        };

        /** What is thrown while a batch is taken in is no fault of the source. */
        let isTaking = false;
        try {
          let item = 0;
          for await (const sent of itemsOf(resources)) {
            item += 1;
            for (const found of unpack(sent, item)) {
              read += 1;
              if (read % readInATurn === 0) await pause();
              const hasPlace = types.has(found.type);
              const isReported = hasPlace || found.type === '' || found.type === 'Bundle';
              if (found.fault !== null && isReported) tally.faults(found, [found.fault]);
              else if (!hasPlace) tally.count('notKept', found.type);
              else if (gathering.add(found)) {
                isTaking = true;
                const taken = await takeGathered(true);
                isTaking = false;
                if (E.isLeft(taken)) return taken;
              }
            }
            const told = callbacks.outcome();
            if (E.isLeft(told)) return told;
          }
        } catch (cause) {
          if (isTaking) throw cause;
          const taken = await takeGathered(true);
          return E.isLeft(taken) ? taken : E.left(storeFailure('source-failed', cause));
        }
        const taken = await takeGathered(true);
        if (E.isLeft(taken)) return taken;
        const settled = await takeLacking();
        return E.isLeft(settled) ? settled : E.right(tally.report());
      },
  };
};
