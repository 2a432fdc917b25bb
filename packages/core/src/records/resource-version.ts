import type { StoredRecord, StoredResource } from '../store/port.ts';
import { toStoredResource } from '../store/stored-resource.ts';

/** A version of a resource: its stored JSON text, and the values for its HTTP headers. */
export type ResourceVersion = {
  /** The id of the resource. */
  readonly id: string;
  /** The patient to whose chart it belongs. */
  readonly patientId: string | null;
  /** Counts from 1. */
  readonly version: number;
  /** In milliseconds since 1970 in UTC. */
  readonly lastModified: number;
  /** The resource as JSON text. */
  readonly json: string;
};

export const createResourceVersion = (
  id: string,
  { patientId, version, at, resource }: StoredResource,
): ResourceVersion => ({ id, patientId, version, lastModified: at, json: resource });

/** The resource version of a record; null if there is no resource to read. */
export const resourceVersionOf = (record: StoredRecord): ResourceVersion | null => {
  const stored = toStoredResource(record);
  return stored && createResourceVersion(record.id, stored);
};
