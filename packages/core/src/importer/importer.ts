import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { type ClinicalError, storeFailure } from '../errors.ts';
import { batches } from './batches.ts';
import type { Intake } from './intake.ts';
import { createTally, type ImportReport } from './report.ts';
import { type Unpacked, unpack } from './unpack.ts';

/** How far a load is: how many resources were read, and how many of them taken. */
export type ImportProgress = { readonly read: number; readonly taken: number };

type Resources = AsyncIterable<unknown> | Iterable<unknown>;

/** Takes in what another system has of its patients. */
export type Importer = {
  /**
   * Takes resources of another system into directory and chart: FHIR resources or Bundles, as objects or as JSON text,
   * in any order. Ids, dates and codes stay as they are. What cannot be taken is reported, and stops nothing else.
   * To load the same resources again changes nothing. Errors: `StoreFailure`, where the store or the source of the resources fails; what was taken by then stays.
   */
  readonly load: (
    resources: Resources,
    options?: { readonly onProgress?: (progress: ImportProgress) => void },
  ) => TaskEither<ClinicalError, ImportReport>;
};

/** A resource and who takes it in. */
type Incoming = Unpacked & { readonly intake: Intake };

type Lacking = { readonly resource: Incoming; readonly error: ClinicalError };

/** Whether what a resource refers to is not here, and may yet come in the same load. */
const lacksOthers = ({ _tag, faults }: ClinicalError) =>
  _tag === 'RuleViolation' && faults.some(({ rule }) => rule.startsWith('unknown-'));

export const createImporter = (intakes: Readonly<Record<string, Intake>>): Importer => ({
  load:
    (resources, { onProgress = () => {} } = {}) =>
    async () => {
      const tally = createTally();
      let read = 0;

      async function* incoming(): AsyncIterable<Incoming> {
        let item = 0;
        for await (const sent of resources) {
          item += 1;
          for (const found of unpack(sent, item)) {
            read += 1;
            const intake = Object.hasOwn(intakes, found.type) ? intakes[found.type] : undefined;
            if (found.fault !== null) tally.faults(found, [found.fault]);
            else if (intake === undefined) tally.count('notKept', found.type);
            else yield { ...found, intake };
          }
        }
      }

      /** Takes in what can be taken, and answers those that lack others. */
      const pass = async (
        source: AsyncIterable<Incoming> | Iterable<Incoming>,
      ): Promise<E.Either<ClinicalError, readonly Lacking[]>> => {
        const lacking: Lacking[] = [];
        for await (const batch of batches(source)) {
          const outcomes = await Promise.all(batch.map((resource) => resource.intake(resource.content)()));
          for (const [index, resource] of batch.entries()) {
            const result = outcomes[index];
            if (result === undefined) continue;
            if (E.isRight(result)) {
              tally.count(result.right.isNew ? 'taken' : 'alreadyHere', resource.type);
              tally.faults(resource, result.right.faults);
            } else if (result.left._tag === 'StoreFailure') return result;
            else if (lacksOthers(result.left)) lacking.push({ resource, error: result.left });
            else tally.faults(resource, result.left.faults);
          }
          onProgress({ read, taken: tally.total('taken') });
        }
        return E.right(lacking);
      };

      try {
        let before = Number.POSITIVE_INFINITY;
        let waiting = await pass(incoming());
        while (E.isRight(waiting) && waiting.right.length > 0 && waiting.right.length < before) {
          before = waiting.right.length;
          waiting = await pass(waiting.right.map(({ resource }) => resource));
        }
        if (E.isLeft(waiting)) return waiting;
        for (const { resource, error } of waiting.right) tally.faults(resource, error.faults);
        return E.right(tally.report());
      } catch (cause) {
        return E.left(storeFailure('source-failed', cause));
      }
    },
});
