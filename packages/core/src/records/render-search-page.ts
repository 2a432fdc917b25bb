import { renderBundle, renderSearchEntry } from '../fhir/bundle.ts';
import { createPageLinks } from '../search/page-links.ts';
import type { ParsedSearch } from '../search/parse-search.ts';
import type { ReadOptions } from './chart-limit.ts';
import type { FoundMatch, FoundPage } from './find.ts';
import type { IncludedResource } from './include.ts';
import type { ResourceFacts } from './resource-facts.ts';
import { addMeta } from './resource-version.ts';
import { createSubset } from './subset.ts';

type PageFacts = Pick<ResourceFacts, 'type' | 'elements'>;

/** The text of a match. A resource that is not stored yet has no `meta`. */
export const textOf = (type: string, match: FoundMatch): string =>
  match.version === null ? match.resource : addMeta(type, match);

/** A page of a search as a bundle in JSON text: its matches, and then the resources that it includes. */
export const renderSearchPage = (
  { facts, search }: { readonly facts: PageFacts; readonly search: ParsedSearch },
  { matches, end, total: found }: FoundPage,
  {
    included,
    base = '',
    baseUrl,
  }: Pick<ReadOptions, 'base' | 'baseUrl'> & { readonly included: readonly IncludedResource[] },
): string => {
  const { type } = facts;
  const total = found ?? search.paging.cursor?.total ?? 0;
  const next = end === null ? null : { ...end, total };
  const path = baseUrl === undefined ? `${base}${type}` : `${baseUrl}/${type}`;
  const subset = createSubset(facts, search);
  const entries = matches.map((match) => {
    const text = textOf(type, match);
    const url = baseUrl === undefined ? undefined : `${path}/${match.id}`;
    return renderSearchEntry(subset === null ? text : subset(text), url);
  });
  for (const { type: includedType, id, json } of included) {
    const url = baseUrl === undefined ? undefined : `${baseUrl}/${includedType}/${id}`;
    entries.push(renderSearchEntry(json, url, 'include'));
  }
  return renderBundle(
    { type: 'searchset', total, link: createPageLinks(path, search, { total, shown: matches.length, next }) },
    entries,
  );
};
