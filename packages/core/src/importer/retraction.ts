import { z } from 'zod';
import { foreign, foreignIdIn, foreignReferenceTo } from '../fhir/foreign.ts';

/** Whether a resource says that it was entered in error. Of a goal, that is its lifecycle. */
export const isInError = (resource: unknown): boolean => {
  const { status, lifecycleStatus = status } = resource as Readonly<Record<string, unknown>>;
  return lifecycleStatus === 'entered-in-error';
};

/** Which record a resource is about; whose it is may have been stripped from it. */
export type Named = { readonly id: string; readonly patientId: string | undefined };

const patient = foreignReferenceTo('Patient').optional();
const retraction = z.object({ id: foreign.id, subject: patient, patient });

/** The record that a resource says was entered in error, whatever else its system has left of it; null of any other. */
export const retractedIn = (resource: unknown): Named | null => {
  const { data } = retraction.safeParse(resource);
  if (data === undefined || !isInError(resource)) return null;
  const whose = data.subject ?? data.patient;
  return { id: data.id, patientId: whose && foreignIdIn(whose) };
};
