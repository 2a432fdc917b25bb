import { parseReference } from '../fhir/reference.ts';
import type { ReturnedResource } from './access-event.ts';

/** The elements of a FHIR resource that say to whom it belongs, and which version it is. */
type ParsedResource = {
  readonly resourceType: string;
  readonly id?: string;
  readonly meta?: { readonly versionId?: unknown };
  readonly subject?: unknown;
  readonly patient?: unknown;
};

const patientIdsOf = ({ resourceType, id = '', subject, patient }: ParsedResource): readonly string[] => {
  if (resourceType === 'Patient') return [id];
  return [subject, patient].flat().flatMap((owner) => {
    const reference = (owner as { readonly reference?: unknown } | null | undefined)?.reference;
    const target = typeof reference === 'string' ? parseReference(reference) : null;
    return target?.type === 'Patient' ? [target.id] : [];
  });
};

/** A resource as an answer shows it: once for each patient to whom it belongs, and once if it belongs to none. */
export const returnedResourcesOf = (resource: object): readonly ReturnedResource[] => {
  const parsed = resource as ParsedResource;
  const { resourceType: type, id = '', meta } = parsed;
  const number = Number(meta?.versionId);
  const version = Number.isSafeInteger(number) && number > 0 ? number : null;
  const patientIds = new Set(patientIdsOf(parsed));
  if (patientIds.size === 0) return [{ type, id, version, patientId: null }];
  return Array.from(patientIds, (patientId) => ({ type, id, version, patientId }));
};

/** A resource that is a JSON text, as an answer shows it: once for each patient to whom it belongs. */
export const returnedResourcesIn = (json: string): readonly ReturnedResource[] =>
  returnedResourcesOf(JSON.parse(json));
