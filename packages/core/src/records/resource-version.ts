import type { Change, StoredRecord } from '../store/port.ts';

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

/** Hands on what is stored; null where there is nothing to be read. */
export const resourceVersion = ({
  id,
  patientId,
  version,
  at,
  resource,
}: StoredRecord): ResourceVersion | null =>
  resource === null ? null : { id, patientId, version, lastModified: at, json: resource };

/** The version that a change makes of a record, once it is committed. */
export const versionMade = (change: Change, before: StoredRecord | null): ResourceVersion | null =>
  resourceVersion({ ...change, version: (before?.version ?? 0) + 1 });
