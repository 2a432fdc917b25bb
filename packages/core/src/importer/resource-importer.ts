import type { MemberType } from '../directory/model.ts';
import type { ClinicalError, ClinicalTask, Issue } from '../errors.ts';
import type { Decision } from '../records/transact.ts';

/** What became of a resource of another system; `faults` are of the parts of it that could not be taken. */
export type ImportOutcome = {
  /** What the report counts it as; null where nothing of it is here, and the faults say why. */
  readonly countedAs: 'taken' | 'alreadyHere' | null;
  readonly issues: readonly Issue[];
  /** A member of care teams, which show its name; a new one is in none yet. */
  readonly member?: { readonly type: MemberType; readonly id: string; readonly isNew: boolean };
};

/** Whether a resource can do without an entry that could not be read: only once none follows that might be it. */
export const canImportWithout = ({ _tag }: ClinicalError, mayFollow: boolean): boolean =>
  !mayFollow && _tag !== 'StoreFailure';

/** Decides what is written of a resource, on the store as it is when the decision is made. */
export type ImportDecision = ClinicalTask<Decision<ImportOutcome>>;

/**
 * Looks up what may take long, such as what a host is asked for, and returns how a resource of one type is decided. One that
 * lacks others is refused while they may follow in the same load; after that, what can be taken without them is taken.
 */
export type ResourceImporter = (resource: unknown, mayFollow: boolean) => ClinicalTask<ImportDecision>;

/** An intake that has nothing to look up before it decides. */
export const createImporterFromDecision =
  (decide: (resource: unknown, mayFollow: boolean) => ImportDecision): ResourceImporter =>
  (resource, mayFollow) =>
  async () => ({ _tag: 'Right', right: decide(resource, mayFollow) });
