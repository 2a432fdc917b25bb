import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AccessOptions } from '../access/access-options.ts';
import type { Bundle } from '../fhir/bundle.ts';
import type { EithersOf } from '../outcome.ts';
import { requireWholeMatches } from '../search/require-whole-matches.ts';
import type { SearchPairs, SearchSort } from '../search/search-input.ts';
import type { ChartLimit, ReadOptions } from './chart-limit.ts';
import { parseHistoryEntry, type ResourceHistoryEntry } from './history-entry.ts';
import type { JsonReads } from './json-reads.ts';
import type { ResourceVersion } from './resource-version.ts';

/** The reads of one type of resource. `Search` holds its search parameters. */
export type ResourceReads<Resource, Search = never> = {
  /** The resource with this id. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (id: string, options?: ChartLimit & AccessOptions) => Promise<Resource>;
  /**
   * A page of the resources that match. A `URLSearchParams` or other pairs of texts are accepted, too.
   * Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`.
   */
  readonly search: (
    parameters: (Search & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ) => Promise<Bundle<Resource>>;
  /**
   * Each resource that matches, oldest first. A page is read when its first resource is requested, whatever `_count` is. So a
   * resource that is created before the last page is read is included. Throws the errors of `search`, as a `ClinicalRecordsError`.
   *
   * @example
   * for await (const goal of records.goals.all({ patient: '7' })) console.log(goal.description.text);
   */
  readonly all: (
    parameters?: Search | SearchPairs,
    options?: Omit<ReadOptions, 'base' | 'baseUrl'>,
  ) => AsyncGenerator<Resource, void>;
  /** Every version, newest first. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly history: (
    id: string,
    options?: ChartLimit & AccessOptions,
  ) => Promise<readonly ResourceHistoryEntry<Resource>[]>;
  /** One version of a resource. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly readVersion: (
    id: string,
    version: number,
    options?: ChartLimit & AccessOptions,
  ) => Promise<Resource>;
};

/** Parses the resource of a version: the derived resource with its `meta`. */
export const parseResource = <Resource>({ json }: Pick<ResourceVersion, 'json'>): Resource =>
  JSON.parse(json) as Resource;

/** The same reads, with resources instead of their JSON texts. */
export const createResourceReads = <Resource>(
  json: EithersOf<JsonReads<object>>,
): EithersOf<ResourceReads<Resource, object>> => ({
  read: async (id, options) => pipe(await json.read(id, options), E.map(parseResource<Resource>)),
  search: async (parameters, options) => {
    const pairs = requireWholeMatches(parameters);
    if (E.isLeft(pairs)) return pairs;
    return pipe(
      await json.search(pairs.right, options),
      E.map((bundle) => JSON.parse(bundle) as Bundle<Resource>),
    );
  },
  all: async function* (parameters, options) {
    for await (const resource of json.all(parameters, options)) yield JSON.parse(resource) as Resource;
  },
  history: async (id, options) =>
    pipe(
      await json.history(id, options),
      E.map((versions) => versions.map(parseHistoryEntry<Resource>)),
    ),
  readVersion: async (id, version, options) =>
    pipe(await json.readVersion(id, version, options), E.map(parseResource<Resource>)),
});
