import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, invalidRequest } from '../errors.ts';
import {
  type BundleUrls,
  fullUrlOf,
  linkTo,
  renderBundle,
  renderIgnored,
  renderSearchEntry,
} from '../fhir/bundle.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import {
  parameterIssue,
  type SearchIssue,
  type SearchRule,
  searchIssue,
  unknownParameterIssue,
} from './issues.ts';
import { createPageLinks, type Paging, parsePaging } from './paging.ts';
import { decideUnused, hasValue, isGeneralName, maxAlternatives, maxParameters } from './parse-search.ts';
import { type SearchPair, type SearchPairs, splitUnescaped } from './search-input.ts';

/** A search of a type whose resources the host finds: its conditions, and the page that is requested. */
export type HostSearchRequest = {
  /** The parameters of the host, in the order in which they were sent, each with a value that is not empty. */
  readonly used: readonly SearchPair[];
  /** The page: `count` resources after the first `offset` ones. */
  readonly paging: Pick<Paging, 'count' | 'offset'>;
  /** An issue for each parameter that was ignored. */
  readonly ignored: readonly SearchIssue[];
};

/** A page of a search, as the host found it. */
export type HostSearchPage = {
  /** How many resources match, on this page or not. */
  readonly total: number;
  /** The resources of the page as JSON texts, each with its id. */
  readonly matches: readonly {
    readonly id: string;
    /** The resource. */
    readonly json: string;
  }[];
};

/** The parameters that select a page. The host knows no cursor. */
const isPageName = (name: string): boolean => name === '_count' || name === '_offset';

/** Whether a search has more than one for records may have. Each patient whom it names is an event of an audit. */
const hasTooManyValues = (pairs: readonly SearchPair[]): boolean =>
  pairs.length > maxParameters ||
  pairs.flatMap(([, value]) => splitUnescaped(',')(value)).length > maxAlternatives;

/** Parses the parameters of a search that the host runs, or returns all of their issues. */
export const parseHostSearch = (
  parameters: SearchPairs,
  names: readonly string[],
  handling: PreferredHandling = 'strict',
): E.Either<ClinicalError<SearchRule>, HostSearchRequest> => {
  const pairs = [...parameters];
  if (hasTooManyValues(pairs.filter(([name]) => !isPageName(name)))) {
    return E.left(invalidRequest(searchIssue('too-many-values')));
  }
  const used = pairs.filter((pair) => names.includes(pair[0]) && hasValue(pair));
  const sent = Map.groupBy(
    pairs.filter((pair) => isPageName(pair[0]) && hasValue(pair)),
    ([name]) => name,
  );
  const { paging, issues } = parsePaging(
    new Map([...sent].map(([name, all]) => [name, all.map(([, value]) => value)])),
  );
  const unknown = pairs
    .map(([name]) => name)
    .filter((name) => !names.includes(name) && !isPageName(name) && !isGeneralName(name));
  const isModified = (name: string) =>
    names.some((supported) => name.startsWith(`${supported}:`) || name.startsWith(`${supported}.`));
  const isKnown = (name: string) => !unknown.includes(name);
  const empty = pairs.filter((pair) => isKnown(pair[0]) && !hasValue(pair)).map(([name]) => name);
  const unused = [
    ...empty.map((name) => [name, parameterIssue('empty-parameter', name)] as const),
    ...unknown
      .filter((name) => !isModified(name))
      .map((name) => [name, unknownParameterIssue(name, names)] as const),
  ].map(([name, issue]) => decideUnused(name, issue, { handling, hasCondition: used.length > 0 }));
  const all = [
    // A modifier or a chain on a known parameter changes its meaning, so it is refused in any case.
    ...unknown.filter(isModified).map((name) => parameterIssue('modifier', name)),
    ...unused.filter(({ isIgnored }) => !isIgnored).map(({ issue }) => issue),
    ...issues,
  ];
  if (all.length > 0) return E.left(invalidRequest(all));
  return E.right({ used, paging, ignored: unused.map(({ issue }) => issue) });
};

/** The page of a search that the host ran, as a bundle in JSON text. */
export const renderHostSearch = (
  type: string,
  { used, paging, ignored }: HostSearchRequest,
  { total, matches }: HostSearchPage,
  urls: BundleUrls,
): string => {
  const shown = matches.length;
  const hasNext = shown > 0 && paging.offset + shown < total;
  const link = createPageLinks(
    linkTo(urls, type),
    { used, paging: { ...paging, cursor: null } },
    { total, shown, next: hasNext ? 'offset' : null },
  );
  return renderBundle({ type: 'searchset', total, link }, [
    ...matches.map(({ id, json }) => renderSearchEntry(json, fullUrlOf(urls, type, id))),
    ...renderIgnored(ignored),
  ]);
};
