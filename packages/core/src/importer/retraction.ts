import { z } from 'zod';
import { readSourceId, sourceElements } from '../fhir/source-resource.ts';

/** The record that a resource is about, and whether it is entered in error there. The source may have removed the patient. */
export type SourceRecordIdentity = {
  readonly id: string;
  readonly patientId: string | undefined;
  readonly isInError: boolean;
};

const patient = sourceElements.reference.optional();
const anyValue = z.unknown().optional();
const retractionSchema = z
  .object({ id: sourceElements.id, subject: patient, patient, status: anyValue, lifecycleStatus: anyValue })
  .refine(({ status, lifecycleStatus = status }) => lifecycleStatus === 'entered-in-error');

/**
 * The record that a resource reports as entered in error, whatever other elements its system has left in it. A goal reports
 * this in its lifecycle status. Null for any other resource.
 */
export const readRetraction = (resource: unknown): SourceRecordIdentity | null => {
  const { data } = retractionSchema.safeParse(resource);
  if (data === undefined) return null;
  return { id: data.id, patientId: readSourceId('Patient', data.subject ?? data.patient), isInError: true };
};
