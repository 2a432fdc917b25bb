import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import { type Outcome, toClinicalError } from '../errors.ts';
import { parseInterval, utc } from '../fhir/date-time.ts';
import { readSourceId, sourceElements } from '../fhir/source-resource.ts';
import type { RecordDefinition } from '../records/definition.ts';
import { type ExistingRecord, type ImportMark, isErasedVersion } from '../records/transact.ts';
import type { ClinicalStore } from '../store/port.ts';

export const updateModes = ['newer', 'all', 'none'] as const;

/**
 * Which records that exist a load may change: those that the source has changed `newer` than what was imported, by its
 * `meta.lastUpdated`; `all`, since the load is newer as a whole; or `none`.
 */
export type UpdateMode = (typeof updateModes)[number];

/** A resource that a load repeats, and the record that exists. */
export type RepeatedLoad = {
  /** Whether the source says what it said in the last import; of a record that was not imported, what the record says. */
  readonly isSame: boolean;
  /** Whether it is entered in error, in the source and here. */
  readonly isInError: { readonly sent: boolean; readonly known: boolean };
  readonly sent: ImportMark;
  /** Undefined for a record that was not imported. */
  readonly known: ImportMark | undefined;
  readonly updates: UpdateMode;
};

/** The result for a record that exists: it is unchanged, or updated, or not updated for a reason, which is an issue. */
export type RepeatedLoadResult =
  | 'unchanged'
  | 'updated'
  | 'entered-in-error-at-source'
  | 'entered-in-error-here'
  | 'changed-here'
  | 'undated-change'
  | 'not-updated';

const timeOf = ({ lastUpdated = '' }: ImportMark): number | undefined =>
  parseInterval(lastUpdated, utc)?.from;

/** Decides about a resource that was loaded before. Nothing that is the same is written, and nothing that was changed here. */
export const decideRepeatedLoad = ({
  isSame,
  isInError,
  sent,
  known,
  updates,
}: RepeatedLoad): RepeatedLoadResult => {
  if (isSame || (isInError.sent && isInError.known)) return 'unchanged';
  const isChangedHere = known === undefined || known.isChangedHere === true;
  // A mistake was one whenever the source said so.
  if (isInError.sent) return isChangedHere || updates === 'none' ? 'entered-in-error-at-source' : 'updated';
  const [sentAt, knownAt] = [timeOf(sent), timeOf(known ?? {})];
  const isDated = sentAt !== undefined && knownAt !== undefined;
  if (updates === 'newer' && isDated && sentAt <= knownAt) return 'unchanged';
  if (updates === 'none') return 'not-updated';
  if (isInError.known) return 'entered-in-error-here';
  if (isChangedHere) return 'changed-here';
  return updates === 'newer' && !isDated ? 'undated-change' : 'updated';
};

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
export const findImportedState = async <State extends { readonly imported?: ImportMark | undefined }>(
  store: ClinicalStore,
  {
    recordDefinition: { type },
    patientIdOf,
    ofPatient,
  }: {
    readonly recordDefinition: Pick<RecordDefinition<State>, 'type'>;
    readonly patientIdOf: (state: State) => string;
    readonly ofPatient: (state: State, patientId: string) => State;
  },
  { id, state, stored }: ExistingRecord<State>,
): Outcome<State> => {
  if (state.imported?.isChangedHere !== true) return E.right(state);
  for (let version = stored.version - 1; version > 0; version -= 1) {
    const read = await store.readVersion({ type, id, version });
    if (E.isLeft(read)) return E.left(toClinicalError(read.left));
    if (read.right === null || isErasedVersion(read.right)) break;
    const before = JSON.parse(read.right.state) as State;
    if (before.imported !== undefined && before.imported.isChangedHere !== true)
      return E.right(ofPatient(before, patientIdOf(state)));
  }
  return E.right(state);
};
