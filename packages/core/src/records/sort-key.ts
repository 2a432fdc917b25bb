import type { TimeZone } from '../fhir/time-zone.ts';
import type { Sort } from '../search/sort.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { FoundMatch } from './find.ts';

/** The index entries by which searches find a resource, which has been parsed from its stored text. */
export type IndexResource = (resource: never, zone: TimeZone) => readonly IndexEntry[];

/**
 * The time by which a match is sorted: that of its last version, or that of its index entries, from their start, or in descending
 * order from their end. Null if there is none.
 */
export const sortKeyOf = (
  { key, isDescending }: Sort,
  { index, zone }: { readonly index: IndexResource; readonly zone: TimeZone },
): ((match: FoundMatch) => number | null) => {
  if (key === '_lastUpdated') return (match) => (match.version === null ? null : match.at);
  return ({ resource }) => {
    const times = index(JSON.parse(resource) as never, zone).flatMap((entry) =>
      entry.kind === 'date' && entry.parameter === key ? [isDescending ? entry.until : entry.from] : [],
    );
    if (times.length === 0) return null;
    return isDescending ? Math.max(...times) : Math.min(...times);
  };
};
