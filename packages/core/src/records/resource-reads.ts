import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { AccessOptions } from '../access/access.ts';
import {
  type ChartLimit,
  iterationForms,
  type ReadOptions,
  readForms,
  viewForms,
} from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import type { Bundle, BundleUrls } from '../fhir/bundle.ts';
import { id, number, optional } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import {
  requireWholeMatches,
  type SearchPairs,
  type SearchSort,
  searchParameters,
} from '../search/search-input.ts';
import type { ResourceFacts } from './definition.ts';
import {
  type HistoryOptions,
  historyForms,
  parseHistoryEntry,
  type ResourceHistoryEntry,
} from './history.ts';
import type { IncludeTable } from './include.ts';
import { createJsonReads, type JsonReads } from './json-reads.ts';
import type { ResourceVersion } from './page.ts';

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
    options?: Omit<ReadOptions, keyof BundleUrls>,
  ) => AsyncGenerator<Resource, void>;
  /**
   * A page of the versions, newest first. It ends early if its resources have 1 MiB; what follows is `before` its last version, and an
   * empty page is the end. Errors: `NotFound`, `InvalidRequest`, `Forbidden`, `StoreFailure`.
   */
  readonly history: (
    id: string,
    options?: HistoryOptions,
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

/** Parses the page of a search. The entry that names ignored parameters is left out: a caller in process knows which parameters there are. */
export const parseMatches = <Resource>(json: string): Bundle<Resource> => {
  const { entry = [], ...head } = JSON.parse(json) as Bundle<Resource>;
  const matches = entry.filter(({ search: { mode } }) => mode === 'match');
  return matches.length === 0 ? head : { ...head, entry: matches };
};

/** The same reads, with resources instead of their JSON texts. */
export const createResourceReads = <Resource>(
  json: EithersOf<JsonReads<object>>,
): EithersOf<ResourceReads<Resource, object>> => ({
  read: async (id, options) => pipe(await json.read(id, options), E.map(parseResource<Resource>)),
  search: async (parameters, options) => {
    const pairs = requireWholeMatches(parameters);
    if (E.isLeft(pairs)) return pairs;
    return pipe(await json.search(pairs.right, options), E.map(parseMatches<Resource>));
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

/** A type of resource that is only read. */
export type ReadableResources<Resource, Search> = ResourceReads<Resource, Search> & {
  /** The same with JSON texts as results. */
  readonly asJson: JsonReads<Search>;
};

/** The reads of a type whose records are its resources. */
export const createReadableResources = <Resource>(
  environment: Environment,
  facts: ResourceFacts,
  includes: () => IncludeTable,
): EithersOf<ReadableResources<Resource, object>> => {
  const asJson = createJsonReads(environment, { facts, includes });
  return { ...createResourceReads<Resource>(asJson), asJson };
};

/** The functions that read a type, with resources or with JSON texts as results. */
const createReadTable = (type: string) =>
  ({
    read: { kind: 'read', takes: [id], options: viewForms, access: { interaction: 'read', type } },
    search: {
      kind: 'search',
      takes: [searchParameters],
      options: readForms,
      access: { interaction: 'search', type },
    },
    all: {
      kind: 'stream',
      takes: [optional(searchParameters)],
      options: iterationForms,
      access: { interaction: 'search', type },
    },
    history: { kind: 'read', takes: [id], options: historyForms, access: { interaction: 'history', type } },
    readVersion: {
      kind: 'read',
      takes: [id, number],
      options: viewForms,
      access: { interaction: 'vread', type },
    },
  }) as const satisfies FunctionTable<ResourceReads<unknown, object>>;

/** The functions of a type that is read. One that is also written adds those that write. */
export const createReadTables = (type: string) => {
  const reads = createReadTable(type);
  return {
    ...reads,
    asJson: {
      ...reads,
      historyBundle: {
        kind: 'read',
        takes: [id, optional(searchParameters)],
        options: readForms,
        access: { interaction: 'history', type },
      },
    },
  } as const satisfies FunctionTable<ReadableResources<unknown, object>>;
};
