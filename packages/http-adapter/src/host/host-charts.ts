import {
  type ChartLimit,
  type ChartPart,
  type ChartReader,
  type ChartReads,
  isWithinLimit,
} from '@clinical-records/core';
import { orThrow } from '@clinical-records/core/store';
import * as E from 'fp-ts/lib/Either.js';
import type { HostResources, HostSearch } from './host-resources.ts';
import { findPage, type HostMatch, searchesOf } from './host-searches.ts';

/** The most resources of a page, as of a search over HTTP. */
const pageSize = 100;

/** Whether a resource was written then or later. One that does not say when is reported, too, so that none is missed. */
const isSince = ({ lastUpdated }: HostMatch, since: ChartPart['since']): boolean =>
  since === null || lastUpdated === null || lastUpdated >= since;

/** Yields the matches of a search of the host, all after so many, page by page. Throws a `ClinicalRecordsError`. */
async function* walkMatches(
  type: string,
  search: HostSearch,
  { conditions, since }: Pick<ChartPart, 'since'> & Pick<Parameters<typeof findPage>[2], 'conditions'>,
  limit: ChartLimit,
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

const isOfCharts = ({ parameters }: HostSearch): boolean => parameters.some(({ name }) => name === 'patient');

/** The searches by which the resources of a chart are found: of each type whose search has the parameter `patient`. */
const chartSearchesOf = (host: HostResources): readonly (readonly [string, HostSearch])[] =>
  searchesOf(host).filter(([, search]) => isOfCharts(search));

/** The limit of a sender within one chart. */
const limitWithin = (limit: ChartLimit, patientId: string): ChartLimit => ({
  ...limit,
  within: isWithinLimit(limit, [patientId]) ? patientId : [],
});

const createReader = (type: string, search: HostSearch): ChartReader => {
  const walk = ({ patientId, since }: ChartPart, limit: ChartLimit, after?: number) => {
    const conditions = [['patient', patientId]] as const;
    return walkMatches(type, search, { conditions, since }, limitWithin(limit, patientId), after);
  };

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
      const { patientId, since } = part;
      if (since === null) {
        const none = { conditions: [['patient', patientId]] as const, count: 0, offset: 0 };
        const page = await findPage(type, search, none, limitWithin(limit, patientId));
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
  new Map(chartSearchesOf(host).map(([type, search]) => [type, createReader(type, search)]));
