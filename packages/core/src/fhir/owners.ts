import { parseReference } from './reference.ts';

/** The owners of a resource: the patients to whose charts it belongs, and whether there is any other, such as a group. */
export type Owners = {
  /** The ids of the patients, each once. */
  readonly patientIds: readonly string[];
  /** Whether it also belongs to something other than a patient. It can then be of any chart. */
  readonly hasOthers: boolean;
};

const referenceOf = (element: unknown): unknown =>
  typeof element === 'object' && element !== null && 'reference' in element ? element.reference : undefined;

/** Reads the owners of a resource: a patient itself, and otherwise its `subject` and its `patient`. */
export const readOwners = (resource: {
  readonly resourceType: string;
  readonly id?: string | undefined;
}): Owners => {
  const { resourceType, id = '' } = resource;
  if (resourceType === 'Patient') return { patientIds: [id], hasOthers: false };
  const { subject, patient } = resource as { readonly subject?: unknown; readonly patient?: unknown };
  const owners = [subject, patient].flat().filter((owner) => owner !== undefined);
  const patientIds = owners.flatMap((owner) => {
    const reference = parseReference(`${referenceOf(owner)}`);
    return reference?.type === 'Patient' ? [reference.id] : [];
  });
  return { patientIds: [...new Set(patientIds)], hasOthers: patientIds.length < owners.length };
};
