import * as E from 'fp-ts/lib/Either.js';
import { type ReturnedResource, returnedResourcesIn, returnedResourcesOf } from '../access/access.ts';
import { type ReadOptions, readForms } from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, notFound, type Outcome } from '../errors.ts';
import {
  type BundleUrls,
  fullUrlOf,
  linkTo,
  renderBundle,
  renderIgnored,
  renderSearchEntry,
} from '../fhir/bundle.ts';
import type { TimeZone } from '../fhir/date-time.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import type { OptionForms } from '../forms.ts';
import { toOutcome } from '../outcome.ts';
import { hostReader, type IncludedResource, type OpenReferenced } from '../records/include.ts';
import { limitIn, limitOf } from '../records/reach.ts';
import { parseHostSearch } from '../search/host-search.ts';
import { parameterIssue, type SearchIssue } from '../search/issues.ts';
import { createPageLinks, maxCount, maxPageBytes, type Paging } from '../search/paging.ts';
import { parseSentInterval } from '../search/parameters.ts';
import { hasValue } from '../search/parse-search.ts';
import type { SearchPair, SearchPairs } from '../search/search-input.ts';
import { bytesOf } from '../store/versions.ts';
import {
  type ChartPart,
  type ChartReads,
  type ReachedChart,
  type WalkedResource,
  walkChart,
} from './walk-chart.ts';

export type EverythingRequest = {
  /** The types of resources; null for all. */
  readonly types: ReadonlySet<string> | null;
  readonly since: ChartPart['since'];
  /** The requested page; null for the first one, with as many resources as its bytes allow. */
  readonly paging: Pick<Paging, 'count' | 'offset'> | null;
  readonly used: readonly SearchPair[];
  readonly ignored: readonly SearchIssue[];
};

const parameterNames = ['_type', '_since'];

const typeNamePattern = /^[A-Z][A-Za-z]{0,63}$/;

/** Parses the parameters of the operation, or returns all of their issues. Source: FHIR R4, Patient, "$everything". */
const parseEverything = (
  parameters: SearchPairs,
  { zone, handling }: { readonly zone: TimeZone; readonly handling: PreferredHandling | undefined },
): E.Either<ClinicalError, EverythingRequest> => {
  const pairs = [...parameters];
  const parsed = parseHostSearch(pairs, parameterNames, handling);
  if (E.isLeft(parsed)) return parsed;
  const { used, paging, ignored } = parsed.right;
  const valuesOf = (sent: string) => used.flatMap(([name, value]) => (name === sent ? [value] : []));
  const types = valuesOf('_type').flatMap((value) => value.split(','));
  const [since, ...more] = valuesOf('_since');
  const interval = since === undefined ? undefined : parseSentInterval(since, zone);
  const issues = [
    ...(types.every((type) => typeNamePattern.test(type)) ? [] : [parameterIssue('search-value', '_type')]),
    ...(interval !== null ? [] : [parameterIssue('search-since', '_since')]),
    ...(more.length > 0 ? [parameterIssue('repeated-parameter', '_since')] : []),
  ];
  if (issues.length > 0) return E.left(invalidRequest(issues));
  const isPaged = pairs.some((pair) => ['_count', '_offset'].includes(pair[0]) && hasValue(pair));
  return E.right({
    types: types.length === 0 ? null : new Set(types),
    since: interval?.from ?? null,
    paging: isPaged ? paging : null,
    used,
    ignored,
  });
};

type EverythingPage = {
  readonly shown: readonly IncludedResource[];
  /** The resources that the page shows, if they are reported. */
  readonly returned: readonly ReturnedResource[];
  readonly hasNext: boolean;
  /** How many resources there are on all pages; null if others follow, because only the last page knows. */
  readonly total: number | null;
};

const countResources = async (chart: ReachedChart): Promise<number> => {
  let total = 0;
  for await (const _ of walkChart(chart, 0)) total += 1;
  return total;
};

const returnedIn = ({ json, resource }: WalkedResource): readonly ReturnedResource[] =>
  resource === undefined ? returnedResourcesIn(json) : returnedResourcesOf(resource);

/** Reads a page. Like that of a search, it ends before the resource that would make it too large. */
const readPage = async (
  chart: ReachedChart,
  { count, offset }: Pick<Paging, 'count' | 'offset'>,
  isReported: boolean,
): Promise<EverythingPage> => {
  const shown: IncludedResource[] = [];
  const returned: ReturnedResource[] = [];
  let bytes = 0;
  for await (const walked of count === 0 ? [] : walkChart(chart, offset)) {
    const { type, id, json } = walked;
    bytes += bytesOf(json);
    const isFull = shown.length === count || bytes > maxPageBytes;
    if (isFull && shown.length > 0) return { shown, returned, hasNext: true, total: null };
    shown.push({ type, id, json });
    if (isReported) returned.push(...returnedIn(walked));
  }
  const total = shown.length > 0 ? offset + shown.length : await countResources(chart);
  return { shown, returned, hasNext: false, total };
};

const toQuery = (pairs: readonly SearchPair[]): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();

/** The links of a page. One without `_count` has no pages before it, and the next one has at most the most of a page. */
const linksOf = (
  path: string,
  { used, paging }: EverythingRequest,
  { shown, hasNext, total }: EverythingPage,
): ReturnType<typeof createPageLinks> => {
  const links = createPageLinks(
    path,
    { used, paging: { ...(paging ?? { count: maxCount, offset: 0 }), cursor: null } },
    { total: total ?? 0, shown: shown.length, next: hasNext ? 'offset' : null },
  );
  if (paging !== null) return total === null ? links.filter(({ relation }) => relation !== 'last') : links;
  const self = { relation: 'self', url: used.length === 0 ? path : `${path}?${toQuery(used)}` } as const;
  return [self, ...links.filter(({ relation }) => relation === 'next')];
};

/** The Bundle as JSON text. */
const renderEverything = (
  patientId: string,
  request: EverythingRequest,
  { page, urls }: { readonly page: EverythingPage; readonly urls: BundleUrls },
): string => {
  const path = linkTo(urls, `Patient/${patientId}/$everything`);
  const entries = page.shown.map(({ type, id, json }) => renderSearchEntry(json, fullUrlOf(urls, type, id)));
  entries.push(...renderIgnored(request.ignored));
  return renderBundle({ type: 'searchset', total: page.total, link: linksOf(path, request, page) }, entries);
};

/** The options of `everything`. */
export type EverythingOptions = ReadOptions & {
  /** Reads further types in the chart, which the records do not have. */
  readonly hostCharts?: ChartReads | undefined;
};

export const everythingForms: OptionForms<EverythingOptions> = {
  ...readForms,
  hostCharts: { is: (value) => value instanceof Map, must: 'a Map' },
};

export const createEverything =
  (
    { zone }: Pick<Environment, 'zone'>,
    {
      reads,
      openReferenced: openByDefault,
    }: { readonly reads: ChartReads; readonly openReferenced: OpenReferenced },
  ) =>
  async (
    patientId: string,
    parameters: SearchPairs = [],
    options: EverythingOptions = {},
  ): Outcome<string> => {
    const parsed = parseEverything(parameters, { zone, handling: options.handling });
    if (E.isLeft(parsed)) return parsed;
    const { types, since, paging } = parsed.right;
    const { onReturn, onDeny, hostCharts = [] } = options;
    const openReferenced = hostReader(options) ?? openByDefault;
    const limitByType = limitOf(options);
    const found = await openReferenced('Patient', { ...limitIn(options), onDeny })(patientId);
    if (E.isLeft(found)) return found;
    if (found.right === null) return E.left(notFound('Patient', patientId));
    const patient = { type: 'Patient', id: patientId, json: found.right };
    const chartReads = new Map([...reads, ...hostCharts]);
    const chart = { patient, types, since, limitOf: limitByType, reads: chartReads, openReferenced };
    return toOutcome(async () => {
      const wholePage = { count: Number.POSITIVE_INFINITY, offset: 0 };
      const page = await readPage(chart, paging ?? wholePage, onReturn !== undefined);
      onReturn?.({ resources: page.returned, searchedPatientIds: [patientId] });
      return renderEverything(patientId, parsed.right, { page, urls: options });
    });
  };
