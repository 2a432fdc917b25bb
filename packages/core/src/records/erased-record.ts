import { erasedHash } from '../store/digest.ts';
import type { StoredRecord } from '../store/port.ts';
import type { RecordDefinition } from './record-definition.ts';

/** The state of a record since it was erased: what its versions before still say, too. */
export type ErasedRecord = {
  readonly id: string;
  readonly patientId: string | null;
  readonly isErased: true;
};

export const renderErasedRecord = (id: string, patientId: string | null): string =>
  JSON.stringify({ id, patientId, isErased: true } satisfies ErasedRecord);

/** Whether a state is that of an erased record. */
export const isErasedState = (state: unknown): state is ErasedRecord =>
  typeof state === 'object' && state !== null && 'isErased' in state;

/** Whether a version is one of an erased record: the last one, or one whose content was erased. */
export const isErasedVersion = (version: Pick<StoredRecord, 'state' | 'resource'>): boolean =>
  erasedHash(version) !== null ||
  (version.resource === null && String(version.state).endsWith('"isErased":true}'));

/** How an erased record of a type derives. */
export const erasedRecordDefinition = (type: string): RecordDefinition<ErasedRecord> => ({
  type,
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: () => null,
  refersTo: () => [],
  withPatient: null,
});
