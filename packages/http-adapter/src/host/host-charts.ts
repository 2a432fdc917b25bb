import type { ChartLimit } from '@clinical-records/core';
import {
  type ChartPart,
  type ChartReader,
  type ChartReads,
  type Exporter,
  type HostChartResource,
  isWithinLimit,
} from '@clinical-records/core/adapter';
import { orThrow } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import type { HostResources, HostSearch } from './host-resources.ts';
import { findPage, type HostMatch, searchesOf } from './host-searches.ts';

/** The part of the exporter that begins exports. */
export type BeginExport = Pick<Exporter<string>, 'begin'>;

/** The most resources of a page, as of a search over HTTP. */
const pageSize = 100;

/** The resources of the charts of one patient, or of all patients: conditions, and the limit to that patient. */
type SearchedCharts = { readonly conditions: Parameters<HostSearch['find']>[0]; readonly limit: ChartLimit };

const chartOf = (patientId: string, limit: ChartLimit = {}): SearchedCharts => ({
  conditions: [['patient', patientId]],
  limit: { ...limit, within: isWithinLimit(limit, [patientId]) ? patientId : [] },
});

const allCharts: SearchedCharts = { conditions: [], limit: {} };

/** Whether a resource was written then or later. One that does not say when is reported, too, so that none is missed. */
const isSince = ({ lastUpdated }: HostMatch, since: ChartPart['since']): boolean =>
  since === null || lastUpdated === null || lastUpdated >= since;

/** Yields the matches of a search of the host, all after so many, page by page. Throws a `ClinicalRecordsError`. */
async function* walkMatches(
  [type, search]: readonly [string, HostSearch],
  { conditions, limit }: SearchedCharts,
  since: ChartPart['since'],
  after = 0,
): AsyncGenerator<HostMatch, void> {
  for (let offset = after, total = Number.POSITIVE_INFINITY; offset < total; ) {
    const page = await orThrow(findPage(type, search, { conditions, count: pageSize, offset }, limit));
    for (const match of page.matches) if (isSince(match, since)) yield match;
    if (page.matches.length === 0) return;
    offset += page.matches.length;
    total = page.total;
  }
}

/** The searches by which the resources of a chart are found: of each type whose search has the parameter `patient`. */
const chartSearchesOf = (host: HostResources): readonly (readonly [string, HostSearch])[] =>
  searchesOf(host).filter(([, { parameters }]) => parameters.some(({ name }) => name === 'patient'));

/** The types of the host that are parts of charts. */
export const chartTypesOf = (host: HostResources): readonly string[] =>
  chartSearchesOf(host).map(([type]) => type);

const createReader = (typeAndSearch: readonly [string, HostSearch]): ChartReader => {
  const walk = ({ patientId, since }: ChartPart, limit: ChartLimit, after?: number) =>
    walkMatches(typeAndSearch, chartOf(patientId, limit), since, after);

  return {
    all: async function* (part, offset, limit) {
      // With a time, only the matches that are yielded count for the offset.
      let toSkip = part.since === null ? 0 : offset;
      for await (const { json } of walk(part, limit, offset - toSkip)) {
        if (toSkip === 0) yield json;
        else toSkip -= 1;
      }
    },
    count: async (part, limit) => {
      if (part.since === null) {
        const { conditions, limit: limitWithin } = chartOf(part.patientId, limit);
        const page = await findPage(...typeAndSearch, { conditions, count: 0, offset: 0 }, limitWithin);
        return E.isLeft(page) ? page : E.right(page.right.total);
      }
      let total = 0;
      for await (const _ of walk(part, limit)) total += 1;
      return E.right(total);
    },
  };
};

/** The types of the host that are parts of charts, with their reads. */
export const createHostCharts = (host: HostResources): ChartReads =>
  new Map(chartSearchesOf(host).map((typeAndSearch) => [typeAndSearch[0], createReader(typeAndSearch)]));

/** The part of the charts that is exported. */
type ExportedPart = {
  readonly types: readonly string[];
  /** Undefined for all patients. */
  readonly patientIds: readonly string[] | undefined;
  readonly since: Date | undefined;
};

/** Yields the resources of the host that are parts of charts, type by type. Throws a `ClinicalRecordsError`. */
async function* exportHostCharts(
  host: HostResources,
  { types, patientIds, since }: ExportedPart,
): AsyncGenerator<HostChartResource, void> {
  const charts = patientIds?.map((patientId) => chartOf(patientId)) ?? [allCharts];
  for (const typeAndSearch of chartSearchesOf(host)) {
    const [type] = typeAndSearch;
    for (const chart of types.includes(type) ? charts : []) {
      for await (const match of walkMatches(typeAndSearch, chart, since?.getTime() ?? null)) {
        const { id, patientIds: owners, lastUpdated, json } = match;
        yield { type, id, patientId: owners[0] ?? null, lastModified: lastUpdated ?? Date.now(), json };
      }
    }
  }
}

/** The exporter of the records, which exports the resources of the host, too. */
export const withHostCharts = ({ begin }: BeginExport, host: HostResources): BeginExport => {
  const hostTypes = chartTypesOf(host);
  return {
    begin: ({ types = [], ...options } = {}) => {
      const { patientIds, since } = options;
      const hostCharts = exportHostCharts(host, { types, patientIds, since });
      return begin({ ...options, types: types.filter((type) => !hostTypes.includes(type)), hostCharts });
    },
  };
};
