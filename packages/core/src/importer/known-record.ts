import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { ChartRecord } from '../chart/command.ts';
import { type Outcome, toClinicalError } from '../errors.ts';
import { readSourceId, sourceElements } from '../fhir/source-resource.ts';
import { type ExistingRecord, isErasedVersion } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';

/** The record that a resource is about. The source may have removed the patient. */
export type SourceRecordIdentity = { readonly id: string; readonly patientId: string | undefined };

const patientSchema = sourceElements.reference.optional();

const identitySchema = z.object({ id: sourceElements.id, subject: patientSchema, patient: patientSchema });

/** The record that a resource is about, whatever else its system has left in it. Null if it does not say so. */
export const readIdentity = (resource: unknown): SourceRecordIdentity | null => {
  const { data } = identitySchema.safeParse(resource);
  return data === undefined
    ? null
    : { id: data.id, patientId: readSourceId('Patient', data.subject ?? data.patient) };
};

/** The state that the last import wrote, of a record that was changed here since; else the current one. */
export const findImportedState = async <Body>(
  store: ClinicalStore,
  type: string,
  { id, state, stored }: ExistingRecord<ChartRecord<Body>>,
): Outcome<ChartRecord<Body>> => {
  if (state.imported?.isChangedHere !== true) return E.right(state);
  for (let version = stored.version - 1; version > 0; version -= 1) {
    const read = await store.readVersion({ type, id, version });
    if (E.isLeft(read)) return E.left(toClinicalError(read.left));
    if (read.right === null || isErasedVersion(read.right)) break;
    const before = JSON.parse(read.right.state) as ChartRecord<Body>;
    if (before.imported !== undefined && before.imported.isChangedHere !== true)
      return E.right({ ...before, patientId: state.patientId });
  }
  return E.right(state);
};

/** The record of a resource of which its system has left only that it was entered in error. */
export const enterInError = <Body>(record: ChartRecord<Body>, at: number): ChartRecord<Body> => ({
  ...record,
  commands: record.commands.map((command, index) =>
    index === 0 ? { ...command, enteredInError: { at, by: null } } : command,
  ),
});
