import { formatInstant } from '../fhir/date-time.ts';
import type { StoredRecord } from '../store/port.ts';

/** One version of a resource, with who made it and when; `resource` is null where there was nothing to be read. */
export type ResourceHistoryEntry<Resource> = {
  readonly version: number;
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly at: string;
  readonly by: string | null;
  readonly resource: Resource | null;
};

/** What is told of a version that is stored, with its resource as text. */
export const toHistoryEntry = ({
  version,
  at,
  by,
  resource,
}: StoredRecord): ResourceHistoryEntry<string> => ({
  version,
  at: formatInstant(at),
  by,
  resource,
});

/** The same with the resource itself. */
export const parseHistoryEntry = <Resource>(
  entry: ResourceHistoryEntry<string>,
): ResourceHistoryEntry<Resource> => ({
  ...entry,
  resource: entry.resource === null ? null : (JSON.parse(entry.resource) as Resource),
});
