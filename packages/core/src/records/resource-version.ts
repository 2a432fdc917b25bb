import type { StoredRecord, StoredResource } from '../store/port.ts';
import { storedResource } from '../store/stored-resource.ts';

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
export const resourceVersion = (
  id: string,
  { patientId, version, at, resource }: StoredResource,
): ResourceVersion => ({ id, patientId, version, lastModified: at, json: resource });

/** What is handed on of a record; null where there is nothing to be read. */
export const versionIn = (record: StoredRecord): ResourceVersion | null => {
  const stored = storedResource(record);
  return stored && resourceVersion(record.id, stored);
};
