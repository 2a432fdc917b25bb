import { z } from 'zod';
import { foreign, foreignId } from '../fhir/foreign.ts';

/** Which record a resource is about, and whether it is entered in error there; whose it is may have been stripped from it. */
export type RecordNamed = {
  readonly id: string;
  readonly patientId: string | undefined;
  readonly isInError: boolean;
};

const patient = foreign.reference.optional();
const said = z.unknown().optional();
const retraction = z
  .object({ id: foreign.id, subject: patient, patient, status: said, lifecycleStatus: said })
  .refine(({ status, lifecycleStatus = status }) => lifecycleStatus === 'entered-in-error');

/**
 * The record that a resource says was entered in error, of a goal by its lifecycle, whatever else its system has left of
 * it; null of any other.
 */
export const retractedIn = (resource: unknown): RecordNamed | null => {
  const { data } = retraction.safeParse(resource);
  if (data === undefined) return null;
  return { id: data.id, patientId: foreignId('Patient', data.subject ?? data.patient), isInError: true };
};
