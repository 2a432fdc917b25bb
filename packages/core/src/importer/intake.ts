import type { MemberType } from '../care-team/model.ts';
import type { ClinicalError, Fault, Result } from '../errors.ts';
import type { Decision } from '../records/transact.ts';

/** What became of a resource of another system; `faults` are of the parts of it that could not be taken. */
export type Outcome = {
  /** What the report counts it as; null where nothing of it is here, and the faults say why. */
  readonly countedAs: 'taken' | 'alreadyHere' | null;
  readonly faults: readonly Fault[];
  /** A member of care teams, which show its name; a new one is in none yet. */
  readonly member?: { readonly type: MemberType; readonly id: string; readonly isNew: boolean };
};

/** Whether a resource can do without an entry that could not be read: only once none follows that might be it. */
export const canDoWithout = ({ _tag }: ClinicalError, mayFollow: boolean): boolean =>
  !mayFollow && _tag !== 'StoreFailure';

/** Decides what is written of a resource, on the store as it is when the decision is made. */
export type Decide = Result<Decision<Outcome>>;

/**
 * Looks up what may take long, such as what a host is asked for, and returns how a resource of one type is decided. One that
 * lacks others is refused while they may follow in the same load; after that, what can be taken without them is taken.
 */
export type Intake = (resource: unknown, mayFollow: boolean) => Result<Decide>;

/** An intake that has nothing to look up before it decides. */
export const intakeBy =
  (decide: (resource: unknown, mayFollow: boolean) => Decide): Intake =>
  (resource, mayFollow) =>
  async () => ({ _tag: 'Right', right: decide(resource, mayFollow) });
