import { readOwners } from '../fhir/owners.ts';
import type { ReturnedResource } from './access-event.ts';

/** The elements of a FHIR resource that say which version it is. */
type ParsedResource = {
  readonly resourceType: string;
  readonly id?: string;
  readonly meta?: { readonly versionId?: unknown };
};

/** A resource as an answer shows it: once for each patient to whom it belongs, and once if it belongs to none. */
export const returnedResourcesOf = (resource: object): readonly ReturnedResource[] => {
  const parsed = resource as ParsedResource;
  const { resourceType: type, id = '', meta } = parsed;
  const number = Number(meta?.versionId);
  const version = Number.isSafeInteger(number) && number > 0 ? number : null;
  const { patientIds } = readOwners(parsed);
  if (patientIds.length === 0) return [{ type, id, version, patientId: null }];
  return patientIds.map((patientId) => ({ type, id, version, patientId }));
};

/** A resource that is a JSON text, as an answer shows it: once for each patient to whom it belongs. */
export const returnedResourcesIn = (json: string): readonly ReturnedResource[] =>
  returnedResourcesOf(JSON.parse(json));
