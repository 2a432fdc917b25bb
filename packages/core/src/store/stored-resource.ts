import type { StoredRecord, StoredResource } from './port.ts';

/** What is to be read of a record as a store keeps it, or null where there is nothing: what `readResource` answers. */
export const toStoredResource = ({
  patientId,
  version,
  at,
  resource,
}: StoredRecord): StoredResource | null => (resource === null ? null : { patientId, version, at, resource });
