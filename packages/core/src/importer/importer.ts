import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Result, storeFailure } from '../errors.ts';
import { pause } from '../records/pause.ts';
import type { ClinicalStore } from '../store/port.ts';
import { batches } from './batches.ts';
import { createTally, type ImportReport } from './report.ts';
import { type IntakesOn, takeBatch } from './take-batch.ts';
import { type Unpacked, unpacking } from './unpack.ts';

/** How far a load has come: how many resources were read, and how many of them taken. */
export type ImportProgress = { readonly read: number; readonly taken: number };

type Resources = AsyncIterable<unknown> | Iterable<unknown>;

/** Takes in what another system has of its patients. */
export type Importer = {
  /**
   * Takes resources of another system into directory and chart: FHIR resources or Bundles, as objects or as JSON text,
   * in any order; a text alone is one item, and `ndjson` makes items of bytes. Ids and dates stay as they are, and so do
   * codes for which there is a place. What cannot be taken is reported, and stops nothing else. Loading the same resources
   * again changes nothing.
   * Errors: `StoreFailure`, where the store or the source of the resources fails (`source-failed`), `resolve` cannot answer
   * (`resolve-failed`), or `onProgress` throws (`progress-failed`); what was taken by then stays.
   */
  readonly load: (
    resources: Resources,
    options?: { readonly onProgress?: (progress: ImportProgress) => void },
  ) => Result<ImportReport>;
};

/** A text and bytes are one item each: what they iterate over is characters and numbers. */
const itemsOf = (resources: Resources): Resources =>
  typeof resources === 'string' || ArrayBuffer.isView(resources) ? [resources] : resources;

/** After so many resources others get a turn: a store may answer without ever giving way, and what is not kept asks none. */
const readInATurn = 1_000;

/** Whether what a resource refers to is not here, and may yet come in the same load. */
const lacksOthers = ({ _tag, faults }: ClinicalError) =>
  _tag === 'RuleViolation' && faults.some(({ rule }) => rule.startsWith('unknown-'));

export const createImporter = (store: ClinicalStore, intakesOn: IntakesOn): Importer => {
  const take = takeBatch(store, intakesOn);
  const types = new Set(Object.keys(intakesOn(store)));
  return {
    load:
      (resources, { onProgress = () => {} } = {}) =>
      async () => {
        const tally = createTally();
        const unpack = unpacking();
        let read = 0;
        /** What is thrown while a batch is taken in is no fault of the source. */
        let isTaking = false;

        async function* incoming(): AsyncIterable<Unpacked> {
          let item = 0;
          for await (const sent of itemsOf(resources)) {
            item += 1;
            for (const found of unpack(sent, item)) {
              read += 1;
              if (read % readInATurn === 0) await pause();
              const hasPlace = types.has(found.type);
              const isReported = hasPlace || found.type === '' || found.type === 'Bundle';
              if (found.fault !== null && isReported) tally.faults(found, [found.fault]);
              else if (hasPlace) yield found;
              else tally.count('notKept', found.type);
            }
          }
        }

        /** Takes in what can be taken, and answers those that lack others which may follow. */
        const pass = async (
          source: AsyncIterable<Unpacked> | Iterable<Unpacked>,
          mayFollow: boolean,
        ): Promise<E.Either<ClinicalError, readonly Unpacked[]>> => {
          const lacking: Unpacked[] = [];
          for await (const batch of batches(source)) {
            isTaking = true;
            const taken = await take(batch, mayFollow)();
            isTaking = false;
            if (E.isLeft(taken)) return taken;
            for (const [resource, result] of taken.right) {
              if (E.isRight(result)) {
                tally.count(result.right.isTaken ? 'taken' : 'alreadyHere', resource.type);
                tally.faults(resource, result.right.faults);
              } else if (mayFollow && lacksOthers(result.left)) lacking.push(resource);
              else tally.faults(resource, result.left.faults);
            }
            const told = E.tryCatch(
              () => onProgress({ read, taken: tally.taken() }),
              (cause) => storeFailure('progress-failed', cause),
            );
            if (E.isLeft(told)) return told;
          }
          return E.right(lacking);
        };

        try {
          let before = Number.POSITIVE_INFINITY;
          let lacking = await pass(incoming(), true);
          while (E.isRight(lacking) && lacking.right.length > 0) {
            const mayFollow = lacking.right.length < before;
            before = lacking.right.length;
            lacking = await pass(lacking.right, mayFollow);
          }
          return E.map(() => tally.report())(lacking);
        } catch (cause) {
          if (isTaking) throw cause;
          return E.left(storeFailure('source-failed', cause));
        }
      },
  };
};
