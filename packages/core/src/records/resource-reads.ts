import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { AccessOptions } from '../access/access-options.ts';
import type { Bundle } from '../fhir/bundle.ts';
import type { Result, TasksOf } from '../result.ts';
import { requireWholeMatches } from '../search/require-whole-matches.ts';
import type { SearchPairs, SearchSort } from '../search/search-input.ts';
import type { ChartLimit, ReadOptions } from './chart-limit.ts';
import { parseHistoryEntry, type ResourceHistoryEntry } from './history-entry.ts';
import type { JsonReads } from './json-reads.ts';
import type { ResourceVersion } from './resource-version.ts';

/** The reads of one type of resource. `Search` holds its search parameters. */
export type ResourceReads<Resource, Search = never> = {
  /** The resource with this id. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (id: string, options?: ChartLimit & AccessOptions) => Result<Resource>;
  /**
   * A page of the resources that match. A `URLSearchParams` or other pairs of texts are accepted, too.
   * Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`.
   */
  readonly search: (
    parameters: (Search & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ) => Result<Bundle<Resource>>;
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
  ) => Result<readonly ResourceHistoryEntry<Resource>[]>;
  /** One version of a resource. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly readVersion: (
    id: string,
    version: number,
    options?: ChartLimit & AccessOptions,
  ) => Result<Resource>;
};

/** Parses the resource of a version: the derived resource with its `meta`. */
export const parseResource = <Resource>({ json }: Pick<ResourceVersion, 'json'>): Resource =>
  JSON.parse(json) as Resource;

/** The same reads, with resources instead of their JSON texts. */
export const createResourceReads = <Resource>(
  json: TasksOf<JsonReads<object>>,
): TasksOf<ResourceReads<Resource, object>> => ({
  read: (id, options) => pipe(json.read(id, options), TE.map(parseResource<Resource>)),
  search: (parameters, options) => {
    const pairs = requireWholeMatches(parameters);
    if (E.isLeft(pairs)) return TE.left(pairs.left);
    return pipe(
      json.search(pairs.right, options),
      TE.map((bundle) => JSON.parse(bundle) as Bundle<Resource>),
    );
  },
  all: async function* (parameters, options) {
    for await (const resource of json.all(parameters, options)) yield JSON.parse(resource) as Resource;
  },
  history: (id, options) =>
    pipe(
      json.history(id, options),
      TE.map((versions) => versions.map(parseHistoryEntry<Resource>)),
    ),
  readVersion: (id, version, options) =>
    pipe(json.readVersion(id, version, options), TE.map(parseResource<Resource>)),
});
