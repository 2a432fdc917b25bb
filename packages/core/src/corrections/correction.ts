import * as z from 'zod';
import type { TeamRecords } from '../care-team/team-records.ts';
import type { ChartResourceType } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import { createIssueFactory } from '../errors.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { text } from '../fhir/element.ts';
import { type AuthorReference, anyReferenceRule, id, parseReference } from '../fhir/reference.ts';
import type { SchemaOutput } from '../fhir/schema.ts';
import { type Correction, correctionRecordDefinition } from '../records/correction.ts';
import type { RecordDefinitions } from '../records/definition.ts';
import { createChange, type LoadedRecord } from '../records/transact.ts';
import type { Resources } from '../resource-definition.ts';

export const correctionIssues = {
  'same-patient': 'A patient cannot be merged into the same patient.',
  'same-chart': 'The record already belongs to the chart of this patient.',
  'undefined-type':
    'The chart has records of types that these records do not define. Define them, and repeat it.',
} as const;

export const correctionIssue = createIssueFactory(correctionIssues);

const authorSchema = z.string().refine((sent) => parseReference(sent) !== null, {
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

/** The input of corrections: the environment, the directory, the care teams, and how the records derive. */
export type CorrectionEnvironment = Pick<Environment, 'store' | 'now' | 'newId'> & {
  readonly directory: DirectoryRecords;
  readonly teams: TeamRecords;
  readonly definitions: RecordDefinitions;
  readonly resources: Resources;
};

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
