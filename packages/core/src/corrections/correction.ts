import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import type { AnswerContent } from '../access/access.ts';
import type { TeamRecords } from '../care-team/team-records.ts';
import type { ChartResourceType } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, createIssueFactory, type Outcome, preconditionFailed } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { text } from '../fhir/element.ts';
import { type AuthorReference, anyReferenceRule, id, parseReference } from '../fhir/reference.ts';
import type { SchemaOutput } from '../fhir/schema.ts';
import { type Correction, correctionRecordDefinition } from '../records/correction.ts';
import type { RecordDefinitions } from '../records/definition.ts';
import type { RequestKey } from '../records/idempotency.ts';
import { createChange, type LoadedRecord } from '../records/transact.ts';
import type { Resources } from '../resource-definition.ts';
import type { StoredRecord } from '../store/port.ts';

export const correctionIssues = {
  'same-patient': 'A patient cannot be merged into the same patient.',
  'same-chart': 'The record already belongs to the chart of this patient.',
  'undefined-type':
    'The chart has records of types that these records do not define. Define them, and repeat it.',
  'changed-since': 'It has another version than the one that was seen. Preview the correction again.',
  'correction-author': 'Only a sender with a reference, such as Practitioner/12, can correct charts.',
} as const;

export const correctionIssue = createIssueFactory(correctionIssues);

/** The schema of the reference to an author. */
export const authorSchema = z.string().refine((sent) => parseReference(sent) !== null, {
  params: anyReferenceRule,
}) as unknown as z.ZodType<AuthorReference>;

/** The author and the reason of a correction. */
const statement = {
  /** The reference to the author, such as `Practitioner/12`. */
  by: authorSchema,
  /** The reason. It is kept for good, so it should not say anything about the patient. */
  reason: text,
};

/** The body of a move of a record, of one of the types that can be moved. */
export const createMoveBodySchema = (types: readonly string[]) =>
  z.strictObject({
    resourceType: z.enum(types),
    resourceId: id,
    /** The id of the patient to whose chart it belongs. */
    toPatientId: id,
    ...statement,
  });

export const mergeBodySchema = z.strictObject({
  /** The id of the patient who is replaced. */
  patientId: id,
  /** The id of the patient who has the chart of both from then on. */
  toPatientId: id,
  ...statement,
});

/** The merge of a patient into another one. */
export interface PatientMerge extends SchemaOutput<typeof mergeBodySchema> {}

/** Names a record of one of the types that can be moved, or a patient. */
export const createCorrectedSchema = (types: readonly string[]) =>
  z.strictObject({
    resourceType: z.enum([...types, 'Patient']),
    /** The id of the resource or of the patient. */
    resourceId: id,
  });

/** The body of an erasure of a record or of a whole chart. */
export const createErasureBodySchema = (types: readonly string[]) =>
  createCorrectedSchema(types).extend(statement);

/** The erasure of a record or of a whole chart. */
export interface RecordErasure<Type extends string = ChartResourceType>
  extends Omit<SchemaOutput<ReturnType<typeof createErasureBodySchema>>, 'resourceType'> {
  /** The type of the resource, or `Patient` for a whole chart. */
  readonly resourceType: Type | 'Patient';
}

/** The move of a record to the chart of another patient. */
export interface RecordMove<Type extends string = ChartResourceType>
  extends Omit<SchemaOutput<ReturnType<typeof createMoveBodySchema>>, 'resourceType'> {
  /** The type of the resource. */
  readonly resourceType: Type;
}

const version = z.int().min(1);

/** The two patients whom a request names. */
const namedPatients = { patientId: id, toPatientId: id };

/** The patients, with the versions of them that the sender has seen. */
const seenPatients = { ...namedPatients, patientVersion: version, toPatientVersion: version };

/** The parameters of the preview of a move: the record, the patient in whose chart it is, and the other one. */
export const createMovePreviewSchema = (types: readonly string[]) =>
  z.strictObject({ resourceType: z.enum(types), resourceId: id, ...namedPatients });

/** The parameters of the preview of a merge. */
export const mergePreviewSchema = z.strictObject(namedPatients);

const sentReason = {
  reason: text.describe('Why. It is kept for good, so it should not say anything about the patient.'),
};

/** The body of the request for a move. */
export const createMoveRequestSchema = (types: readonly string[]) =>
  createMovePreviewSchema(types).extend({ version, ...seenPatients, ...sentReason });

/** The body of the request for a merge. */
export const mergeRequestSchema = z.strictObject({ ...seenPatients, ...sentReason });

/** The parts that a request adds to a correction: the versions that its sender has seen, and its key. */
export type CorrectionRequest = {
  readonly seen: {
    readonly patientId: string;
    readonly patientVersion: number;
    readonly toPatientVersion: number;
    /** That of the record that is moved. */
    readonly version?: number;
  };
  readonly key: RequestKey | null;
  /** Whether the sender reaches a record, by its labels. */
  readonly isReached: (record: StoredRecord) => Promise<boolean>;
};

/** Refuses a correction of what has changed since it was seen: the versions of `seen` by the names of its elements. */
export const requireSeen = (
  seen: Readonly<Record<string, readonly [seen: number, loaded: LoadedRecord<unknown>]>>,
): E.Either<ClinicalError, void> => {
  const issues = Object.entries(seen).flatMap(([name, [version, { stored }]]) =>
    stored?.version === version ? [] : [correctionIssue('changed-since', `Correction.${name}`)],
  );
  return issues.length === 0 ? E.right(undefined) : E.left(preconditionFailed(issues));
};

/** The input of corrections: the environment, the directory, the care teams, and how the records derive. */
export type CorrectionEnvironment = Pick<Environment, 'store' | 'now' | 'newId'> & {
  readonly directory: DirectoryRecords;
  readonly teams: TeamRecords;
  readonly definitions: RecordDefinitions;
  readonly resources: Resources;
  /** How many resources of a type are in the chart of a patient. */
  readonly countIn: (type: string, patientId: string) => Outcome<number>;
};

/** Both patients count as seen. An erased record belongs to the patient in whose chart it was. */
export const correctedPatients = ({ patientId, toPatientId, records }: Correction): AnswerContent => ({
  resources: records.map((record) => ({ ...record, patientId: toPatientId ?? patientId })),
  searchedPatientIds: toPatientId === null ? [patientId] : [patientId, toPatientId],
});

/** A correction, and the change that records it in the commit that makes it. One that goes on has the records of both commits. */
export const createCorrection = (
  before: LoadedRecord<Correction>,
  { at, by }: { readonly at: number; readonly by: AuthorReference },
  content: Omit<Correction, 'id' | 'at' | 'by'>,
) => {
  const correction: Correction =
    before.state === null
      ? { id: before.id, at: formatInstant(at), by, ...content }
      : { ...before.state, records: [...before.state.records, ...content.records] };
  const change = createChange(correctionRecordDefinition, before, correction, { at, by });
  return { correction, change };
};
