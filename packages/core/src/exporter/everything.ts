import * as E from 'fp-ts/lib/Either.js';
import { returnedResourcesIn } from '../access/access.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, invalidRequest, notFound, type Outcome } from '../errors.ts';
import { renderBundle, renderSearchEntry } from '../fhir/bundle.ts';
import type { TimeZone } from '../fhir/date-time.ts';
import type { PreferredHandling } from '../fhir/parse-body.ts';
import { parseReference, referencesIn } from '../fhir/reference.ts';
import { ClinicalRecordsError } from '../outcome.ts';
import { type ChartLimit, type ReadOptions, reachOf, requireWithinLimit } from '../records/chart-limit.ts';
import { type IncludedResource, type ReadReferenced, readTargets } from '../records/include.ts';
import { parseHostSearch } from '../search/host-search.ts';
import { parameterIssue } from '../search/issues.ts';
import { createPageLinks, type Paging } from '../search/paging.ts';
import { parseSentInterval } from '../search/parameters.ts';
import type { SearchPair, SearchPairs } from '../search/search-input.ts';

/** The requested part of everything. */
export type EverythingRequest = {
  /** The types of resources; null for all. */
  readonly types: ReadonlySet<string> | null;
  /** Only resources of the chart that were written then or later, in milliseconds since 1970 in UTC. */
  readonly since: number;
  /** The requested page; null for everything at once. */
  readonly paging: Pick<Paging, 'count' | 'offset'> | null;
  readonly used: readonly SearchPair[];
};

const names = ['_type', '_since'];

const typePattern = /^[A-Z][A-Za-z]{0,63}$/;

/** Parses the parameters of the operation, or returns all of their issues. Source: FHIR R4, Patient, "$everything". */
export const parseEverything = (
  parameters: SearchPairs,
  { zone, handling }: { readonly zone: TimeZone; readonly handling: PreferredHandling | undefined },
): E.Either<ClinicalError, EverythingRequest> => {
  const pairs = [...parameters];
  const parsed = parseHostSearch(pairs, names, handling);
  if (E.isLeft(parsed)) return parsed;
  const { used, paging } = parsed.right;
  const valuesOf = (sent: string) => used.flatMap(([name, value]) => (name === sent ? [value] : []));
  const types = valuesOf('_type').flatMap((value) => value.split(','));
  const [since, ...more] = valuesOf('_since');
  const from = since === undefined ? Number.NEGATIVE_INFINITY : parseSentInterval(since, zone)?.from;
  const issues = [
    ...(types.every((type) => typePattern.test(type)) ? [] : [parameterIssue('search-value', '_type')]),
    ...(from === undefined ? [parameterIssue('search-since', '_since')] : []),
    ...(more.length > 0 ? [parameterIssue('repeated-parameter', '_since')] : []),
  ];
  if (from === undefined || issues.length > 0) return E.left(invalidRequest(issues));
  const isPaged = pairs.some(([name]) => name === '_count' || name === '_offset');
  return E.right({
    types: types.length === 0 ? null : new Set(types),
    since: from,
    paging: isPaged ? paging : null,
    used,
  });
};

/** The reads of the charts, by the types of their resources. */
type ChartReads = ReadonlyMap<
  string,
  { readonly all: (parameters: SearchPairs, options: ChartLimit) => AsyncGenerator<string, void> }
>;

type ParsedResource = { readonly id: string; readonly meta?: { readonly lastUpdated?: string } };

/** A resource of the chart, and its text. */
type ChartResource = IncludedResource & { readonly resource: ParsedResource };

/** When a version of a resource was written. A care team that is not stored yet has no version. */
const lastUpdatedOf = ({ meta }: ParsedResource): number =>
  meta?.lastUpdated === undefined ? Number.NEGATIVE_INFINITY : Date.parse(meta.lastUpdated);

/** The resources of a chart that the caller reaches, type by type. */
const readChart = async (
  reads: ChartReads,
  patientId: string,
  { types, since }: Pick<EverythingRequest, 'types' | 'since'>,
  reach: NonNullable<ReadOptions['reach']>,
): Promise<E.Either<ClinicalError, readonly ChartResource[]>> => {
  const chart: ChartResource[] = [];
  for (const [type, { all }] of reads) {
    const limit = types === null || types.has(type) ? reach(type) : null;
    if (limit === null) continue;
    try {
      for await (const json of all([['patient', patientId]], limit)) {
        const resource: ParsedResource = JSON.parse(json);
        if (lastUpdatedOf(resource) >= since) chart.push({ type, id: resource.id, json, resource });
      }
    } catch (thrown) {
      if (!(thrown instanceof ClinicalRecordsError)) throw thrown;
      if (thrown.tag !== 'Forbidden') return E.left(thrown.error);
    }
  }
  return E.right(chart);
};

/** The resources to which some resources refer, each once, without other patients. */
const targetsOf = (resources: readonly ChartResource[]) => {
  const references = resources.flatMap(({ resource }) => referencesIn(resource));
  const shown = new Set(resources.map(({ type, id }) => `${type}/${id}`));
  return [...new Set(references)]
    .flatMap((reference) => parseReference(reference) ?? [])
    .filter(({ type, id }) => type !== 'Patient' && !shown.has(`${type}/${id}`));
};

/** The reach of a caller within one chart. A resource without a patient is within every chart. */
const reachWithin =
  (reach: NonNullable<ReadOptions['reach']>, patientId: string): NonNullable<ReadOptions['reach']> =>
  (type) => {
    const limit = reach(type);
    const isWithin = limit !== null && E.isRight(requireWithinLimit(limit)(patientId));
    return isWithin ? { ...limit, within: patientId } : null;
  };

const toQuery = (pairs: readonly SearchPair[]): string =>
  new URLSearchParams(pairs.map(([name, value]): [string, string] => [name, value])).toString();

/** The Bundle as JSON text, and the resources in it. */
const renderEverything = (
  patientId: string,
  { paging, used }: EverythingRequest,
  resources: readonly IncludedResource[],
  { base = '', baseUrl }: Pick<ReadOptions, 'base' | 'baseUrl'>,
): readonly [string, readonly IncludedResource[]] => {
  const total = resources.length;
  const path = `${baseUrl === undefined ? base : `${baseUrl}/`}Patient/${patientId}/$everything`;
  const { count, offset } = paging ?? { count: total, offset: 0 };
  const shown = resources.slice(offset, offset + count);
  const hasNext = shown.length > 0 && offset + shown.length < total;
  const link =
    paging === null
      ? [{ relation: 'self', url: used.length === 0 ? path : `${path}?${toQuery(used)}` } as const]
      : createPageLinks(
          path,
          { used, paging: { count, offset, cursor: null } },
          { total, shown: shown.length, next: hasNext ? 'offset' : null },
        );
  const entries = shown.map(({ type, id, json }) =>
    renderSearchEntry(json, baseUrl === undefined ? undefined : `${baseUrl}/${type}/${id}`),
  );
  return [renderBundle({ type: 'searchset', total, link }, entries), shown];
};

/** Creates the operation `$everything`. */
export const createEverything =
  (
    { zone }: Pick<Environment, 'zone'>,
    {
      reads,
      readReferenced: readByDefault,
    }: { readonly reads: ChartReads; readonly readReferenced: ReadReferenced },
  ) =>
  async (
    patientId: string,
    parameters: SearchPairs = [],
    { onReturn, by: _, ...options }: ReadOptions = {},
  ): Outcome<string> => {
    const parsed = parseEverything(parameters, { zone, handling: options.handling });
    if (E.isLeft(parsed)) return parsed;
    const { types } = parsed.right;
    const isRequested = ({ type }: { readonly type: string }) => types === null || types.has(type);
    const reach = reachOf(options);
    const read = options.readReferenced ?? readByDefault;
    const patient = await read('Patient', patientId, options);
    if (E.isLeft(patient)) return patient;
    if (patient.right === null) return E.left(notFound('Patient', patientId));
    const own = {
      type: 'Patient',
      id: patientId,
      json: patient.right,
      resource: JSON.parse(patient.right) as ParsedResource,
    };
    const chart = await readChart(reads, patientId, parsed.right, reach);
    if (E.isLeft(chart)) return chart;
    const ofPatient = [own, ...chart.right];
    const targets = targetsOf(ofPatient).filter(isRequested);
    // A reference is stored as it was sent, so its target can be of another patient.
    const referenced = await readTargets(targets, reachWithin(reach, patientId), read);
    if (E.isLeft(referenced)) return referenced;
    const resources = [...ofPatient.filter(isRequested), ...referenced.right];
    const [bundle, shown] = renderEverything(patientId, parsed.right, resources, options);
    onReturn?.({
      resources: shown.flatMap(({ json }) => returnedResourcesIn(json)),
      searchedPatientIds: [patientId],
    });
    return E.right(bundle);
  };
