import { formatInstant } from '../fhir/date-time.ts';
import type { PastVersion } from './read-versions.ts';

/** One version of a resource, with its author and its time. */
export type ResourceHistoryEntry<Resource> = {
  /** Counts from 1. */
  readonly version: number;
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly at: string;
  /** The reference to the author, such as `Practitioner/12`; null if nobody was named. */
  readonly by: string | null;
  /** The resource; null if there was nothing to read at that version. */
  readonly resource: Resource | null;
};

/** The history entry of a stored version, with its resource as text. */
export const toHistoryEntry = ({
  version,
  at,
  by,
  resource,
}: Pick<PastVersion, 'version' | 'at' | 'by' | 'resource'>): ResourceHistoryEntry<string> => ({
  version,
  at: formatInstant(at),
  by,
  resource,
});

/** The same entry, with its resource parsed. */
export const parseHistoryEntry = <Resource>(
  entry: ResourceHistoryEntry<string>,
): ResourceHistoryEntry<Resource> => ({
  ...entry,
  resource: entry.resource === null ? null : (JSON.parse(entry.resource) as Resource),
});
