import { formatInstant } from '../fhir/date-time.ts';
import type { StoredRecord, StoredResource } from '../store/port.ts';
import { isStoredAsConforming, lengthToId, storedMeta } from './profile.ts';

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

/**
 * Adds `meta` to the text of a derived resource, after its type and its id, with which it begins. Only the profile is stored:
 * the number of a version is only known once it is written.
 */
export const addMeta = (type: string, version: VersionText): string => {
  const { id, resource } = version;
  const toId = lengthToId(type, id);
  const meta = `${storedMeta}"versionId":"${version.version}","lastUpdated":"${formatInstant(version.at)}"`;
  return isStoredAsConforming(type, version)
    ? `${resource.slice(0, toId)}${meta},${resource.slice(toId + storedMeta.length)}`
    : `${resource.slice(0, toId)}${meta}}${resource.slice(toId)}`;
};

export const createResourceVersion = (
  type: string,
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
  type: string,
  { id, resource, ...stored }: StoredRecord,
): ResourceVersion | null =>
  resource === null ? null : createResourceVersion(type, id, { ...stored, resource });
