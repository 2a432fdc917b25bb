import { formatInstant } from '../fhir/date-time.ts';
import { type ResourceType, resourceTypes } from '../fhir/resource-type.ts';
import { conformsToUsCore, usCoreProfile } from '../fhir/us-core.ts';
import type { StoredRecord, StoredResource } from '../store/port.ts';

/** A version of a resource: its JSON text, and the values for its HTTP headers. */
export type ResourceVersion = {
  readonly id: string;
  /** The patient to whose chart it belongs. */
  readonly patientId: string | null;
  /** Counts from 1. */
  readonly version: number;
  /** In milliseconds since 1970 in UTC. */
  readonly lastModified: number;
  /** The resource as JSON text, with its `meta`. */
  readonly json: string;
};

/** A version of a resource, with the resource as it is stored. */
export type VersionText = Pick<StoredRecord, 'id' | 'version' | 'at'> & Pick<StoredResource, 'resource'>;

/** The end of `meta` in a resource that conforms to its profile. */
const profileParts = Object.fromEntries(
  resourceTypes.map((type) => [type, `,"profile":["${usCoreProfile(type)}"]`]),
);

/**
 * Adds `meta` to the text of a derived resource, after its type and its id, with which it begins. It is not stored: the
 * number of a version is only known once it is written.
 */
export const addMeta = (type: ResourceType, { id, version, at, resource }: VersionText): string => {
  const afterId = '{"resourceType":"","id":""'.length + type.length + id.length;
  const profile = conformsToUsCore[type](resource) ? profileParts[type] : '';
  const meta = `"meta":{"versionId":"${version}","lastUpdated":"${formatInstant(at)}"${profile}}`;
  return `${resource.slice(0, afterId)},${meta}${resource.slice(afterId)}`;
};

export const createResourceVersion = (
  type: ResourceType,
  id: string,
  { patientId, version, at, resource }: StoredResource,
): ResourceVersion => ({
  id,
  patientId,
  version,
  lastModified: at,
  json: addMeta(type, { id, version, at, resource }),
});

/** The resource version of a record; null if there is no resource to read. */
export const resourceVersionOf = (
  type: ResourceType,
  { id, resource, ...stored }: StoredRecord,
): ResourceVersion | null =>
  resource === null ? null : createResourceVersion(type, id, { ...stored, resource });
