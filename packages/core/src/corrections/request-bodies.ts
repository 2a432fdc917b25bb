import { z } from 'zod';
import type { ChartResourceType } from '../chart/command.ts';
import { text } from '../fhir/element.ts';
import { id } from '../fhir/id.ts';
import type { BodyRule } from '../fhir/issues.ts';
import { type AuthorReference, parseReference } from '../fhir/reference.ts';
import type { SchemaOutput } from '../fhir/schema-output.ts';

const author = z.string().refine((sent) => parseReference(sent) !== null, {
  params: { rule: 'reference' satisfies BodyRule },
}) as unknown as z.ZodType<AuthorReference>;

/** The author and the reason of a correction. */
const statement = {
  /** The reference to the author, such as `Practitioner/12`. */
  by: author,
  /** The reason. It is kept for good, so it should not say anything about the patient. */
  reason: text,
};

/** The body of a move of a record, of one of the types that can be moved. */
export const createMoveBody = (types: readonly ChartResourceType[]) =>
  z.strictObject({
    resourceType: z.enum(types),
    resourceId: id,
    /** The id of the patient to whose chart it belongs. */
    toPatientId: id,
    ...statement,
  });

export const mergeBody = z.strictObject({
  /** The id of the patient who is replaced. */
  patientId: id,
  /** The id of the patient who has the chart of both from then on. */
  toPatientId: id,
  ...statement,
});

/** The merge of a patient into another one. */
export interface PatientMerge extends SchemaOutput<typeof mergeBody> {}

/** The body of an erasure of a record, of one of the types that can be moved, or of a whole chart. */
export const createErasureBody = (types: readonly ChartResourceType[]) =>
  z.strictObject({
    /** The type of the resource, or `Patient` for a whole chart. */
    resourceType: z.enum([...types, 'Patient']),
    /** The id of the resource or of the patient. */
    resourceId: id,
    ...statement,
  });

/** The erasure of a record or of a whole chart. */
export interface RecordErasure extends SchemaOutput<ReturnType<typeof createErasureBody>> {}

/** The move of a record to the chart of another patient. */
export interface RecordMove extends SchemaOutput<ReturnType<typeof createMoveBody>> {}
