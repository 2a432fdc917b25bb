import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, otherChart } from '../errors.ts';
import type { Handling } from '../fhir/element.ts';

/** What an operation is limited to: where `within`, the id of a patient, is given, to the chart of that patient. */
export type Access = { readonly within?: string | undefined };

/** The options of reads and searches; a search refuses parameters that it does not know unless it is lenient. */
export type ReadOptions = Access & {
  readonly handling?: Handling | undefined;
  /** What leads from the URL of the request to the base of the interface; the links of a bundle begin with it. */
  readonly base?: string | undefined;
};

/** Who writes, and under which conditions; a write drops elements that it does not store unless it is strict. */
export type WriteOptions = Access & {
  /** Who it is, for the history. */
  readonly by?: string | undefined;
  readonly handling?: Handling | undefined;
};

/** Refuses what lies in another chart than the one to which the caller is limited. */
export const withinChart =
  ({ within }: Access) =>
  (patientId: string | null): E.Either<ClinicalError, void> =>
    within === undefined || within === patientId ? E.right(undefined) : E.left(otherChart);
