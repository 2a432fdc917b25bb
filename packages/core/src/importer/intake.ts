import type { ClinicalError, Fault, Result } from '../errors.ts';

/** What became of a resource of another system; `faults` are of the parts of it that could not be taken. */
export type Outcome = { readonly isTaken: boolean; readonly faults: readonly Fault[] };

/** Whether a resource can do without an entry that could not be read: only once none follows that might be it. */
export const canDoWithout = ({ _tag }: ClinicalError, mayFollow: boolean): boolean =>
  !mayFollow && _tag !== 'StoreFailure';

/**
 * Takes in a resource of one type, unless it is here already. One that lacks others is refused while they may follow in the
 * same load; after that, what can be taken without them is taken.
 */
export type Intake = (resource: unknown, mayFollow: boolean) => Result<Outcome>;
