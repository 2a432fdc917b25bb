import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, otherChartError } from '../errors.ts';
import type { Handling } from '../fhir/handling.ts';
import { idPattern } from '../fhir/reference.ts';

/**
 * Limits an operation to the chart of one patient: `within` is the patient's id. Left out, there is no limit; given as
 * undefined, or as what is no id, no chart is reached.
 */
export type ChartLimit = { readonly within?: string };

/** The options of reads and searches; a search refuses parameters that it does not know unless it is lenient. */
export type ReadOptions = ChartLimit & {
  readonly handling?: Handling | undefined;
  /** The way from the URL of the request to the base of the interface, such as `../`: the links of a bundle begin with it. */
  readonly base?: string | undefined;
};

/** Who writes, and under which conditions; a write drops elements that it does not store unless it is strict. */
export type WriteOptions = ChartLimit & {
  /** Who it is, for the history. */
  readonly by?: string | undefined;
  readonly handling?: Handling | undefined;
};

/** Whether there is a limit: a `within` without a value is one, too, as of a session that has lost its patient. */
export const hasLimit = (limit: ChartLimit): boolean => 'within' in limit;

/** The chart that somebody is limited to; null where there is none, for what is no id of a patient is no chart. */
export const limitedTo = ({ within }: ChartLimit): string | null =>
  typeof within === 'string' && idPattern.test(within) ? within : null;

/** Whether the caller reaches the chart of a patient. */
type ChartPredicate = (patientId: string | null) => boolean;

/**
 * Which charts the caller reaches. What lies in another one is answered as what does not exist, so that nobody learns of it.
 * A limit to what is no chart is refused, whatever is asked for.
 */
export const parseChartLimit = (limit: ChartLimit): E.Either<ClinicalError, ChartPredicate> => {
  if (!hasLimit(limit)) return E.right(() => true);
  const patientOfLimit = limitedTo(limit);
  return patientOfLimit === null
    ? E.left(otherChartError)
    : E.right((patientId) => patientId === patientOfLimit);
};

/** Refuses a request that names another patient than the one to whose chart the caller is limited. */
export const requireWithinLimit = (limit: ChartLimit) => {
  const parsed = parseChartLimit(limit);
  return (patientId: string): E.Either<ClinicalError, void> =>
    E.isRight(parsed) && parsed.right(patientId) ? E.right(undefined) : E.left(otherChartError);
};
