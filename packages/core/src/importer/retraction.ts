import { z } from 'zod';
import { foreign, foreignId } from '../fhir/foreign.ts';

/** Whether a resource says that it was entered in error. Of a goal, that is its lifecycle. */
export const isInError = (resource: unknown): boolean => {
  const { status, lifecycleStatus = status } = resource as Readonly<Record<string, unknown>>;
  return lifecycleStatus === 'entered-in-error';
};

/** Which record a resource is about; whose it is may have been stripped from it. */
export type RecordNamed = { readonly id: string; readonly patientId: string | undefined };

const patient = foreign.reference.optional();
const retraction = z.object({ id: foreign.id, subject: patient, patient });

/** The record that a resource says was entered in error, whatever else its system has left of it; null of any other. */
export const retractedIn = (resource: unknown): RecordNamed | null => {
  const { data } = retraction.safeParse(resource);
  if (data === undefined || !isInError(resource)) return null;
  return { id: data.id, patientId: foreignId('Patient', data.subject ?? data.patient) };
};
