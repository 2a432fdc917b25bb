import { z } from 'zod';
import { readSourceId, sourceElements } from '../fhir/source-resource.ts';

/** Which record a resource is about, and whether it is entered in error there; whose it is may have been stripped from it. */
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
 * The record that a resource says was entered in error, of a goal by its lifecycle, whatever else its system has left of
 * it; null of any other.
 */
export const readRetraction = (resource: unknown): SourceRecordIdentity | null => {
  const { data } = retractionSchema.safeParse(resource);
  if (data === undefined) return null;
  return { id: data.id, patientId: readSourceId('Patient', data.subject ?? data.patient), isInError: true };
};
