import type { StoredRecord, StoredResource } from './port.ts';

/** The result of `readResource` for a record: its resource, or null if it has none. */
export const toStoredResource = ({
  patientId,
  version,
  at,
  resource,
}: StoredRecord): StoredResource | null => (resource === null ? null : { patientId, version, at, resource });
