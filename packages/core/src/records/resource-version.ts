import type { StoredRecord, StoredResource } from '../store/port.ts';
import { toStoredResource } from '../store/stored-resource.ts';

/** A version of a resource as it is handed on: its JSON text as it is stored, and what HTTP says of it in headers. */
export type ResourceVersion = {
  readonly id: string;
  readonly patientId: string | null;
  /** Counts from 1. */
  readonly version: number;
  /** In milliseconds since 1970 in UTC. */
  readonly lastModified: number;
  readonly json: string;
};

/** Hands on a resource as it is stored. */
export const createResourceVersion = (
  id: string,
  { patientId, version, at, resource }: StoredResource,
): ResourceVersion => ({ id, patientId, version, lastModified: at, json: resource });

/** What is handed on of a record; null where there is nothing to be read. */
export const resourceVersionOf = (record: StoredRecord): ResourceVersion | null => {
  const stored = toStoredResource(record);
  return stored && createResourceVersion(record.id, stored);
};
