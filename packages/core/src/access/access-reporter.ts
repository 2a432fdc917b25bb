import { type ClinicalError, storeFailure } from '../errors.ts';
import type { AccessEvent, OnAccess, Returned } from './access-event.ts';

/** An access before it is reported. */
export type Access = Omit<AccessEvent, 'at' | 'resources' | 'patientIds'> & {
  /** The content of the answer, in parts. */
  readonly returned: readonly Returned[];
};

/** Reports an access. Returns the error that becomes the answer if that fails, and null otherwise. */
export type ReportAccess = (access: Access) => Promise<ClinicalError | null>;

export const isWrite = ({ interaction }: Pick<AccessEvent, 'interaction'>): boolean =>
  interaction === 'create' || interaction === 'update' || interaction === 'delete';

/** The outcome of a call, and the rules that it has broken. */
export type AccessOutcome = Pick<AccessEvent, 'outcome' | 'rules'>;

/** The outcome of a call that throws, for example because `authorize` does. */
export const failed: AccessOutcome = { outcome: 'failed', rules: [] };

export const outcomeOf = (error: ClinicalError | null): AccessOutcome => {
  if (error === null) return { outcome: 'success', rules: [] };
  const rules = [...new Set(error.issues.map(({ rule }) => rule))];
  return { outcome: error._tag === 'StoreFailure' ? 'failed' : 'refused', rules };
};

/** After a write, a client that thinks it has failed would send it again. */
const errorOf = (access: Access, cause: unknown): ClinicalError =>
  storeFailure(
    isWrite(access) && access.outcome !== 'refused' ? 'unrecorded-write' : 'unrecorded-access',
    cause,
  );

const toEvent = ({ returned, ...access }: Access, at: number): AccessEvent => {
  const resources = returned.flatMap((one) => one.resources);
  const patientIds = new Set<string>();
  for (const { patientId } of resources) if (patientId !== null) patientIds.add(patientId);
  for (const { searchedPatientIds } of returned) for (const id of searchedPatientIds) patientIds.add(id);
  return { at, ...access, resources, patientIds: [...patientIds] };
};

export const createAccessReporter =
  (onAccess: OnAccess, now: () => number): ReportAccess =>
  async (access) => {
    try {
      await onAccess(toEvent(access, now()));
      return null;
    } catch (cause) {
      return errorOf(access, cause);
    }
  };
