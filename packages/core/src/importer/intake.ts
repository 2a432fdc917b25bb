import type { Fault, Result } from '../errors.ts';

/** What became of a resource of another system; `faults` are of the parts of it that could not be taken. */
export type Outcome = { readonly isTaken: boolean; readonly faults: readonly Fault[] };

/** Takes a resource of one type in, unless it is here already. */
export type Intake = (resource: unknown) => Result<Outcome>;

export const outcome = (isTaken: boolean, faults: readonly Fault[] = []): Outcome => ({ isTaken, faults });
