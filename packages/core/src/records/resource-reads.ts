import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Result } from '../errors.ts';
import type { Bundle } from '../fhir/bundle.ts';
import type { SearchParameters } from '../search/search.ts';
import type { Access, ReadOptions } from './access.ts';
import { parsedEntry, type ResourceHistoryEntry } from './history-entry.ts';
import type { JsonReads } from './json-reads.ts';
import type { ResourceVersion } from './resource-version.ts';

/** What can be read of one type of resource. */
export type ResourceReads<Resource> = {
  /** The resource of an id. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (id: string, access?: Access) => Result<Resource>;
  /** A page of those that match. Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`. */
  readonly search: (parameters: SearchParameters, options?: ReadOptions) => Result<Bundle<Resource>>;
  /** Every version, newest first. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly history: (id: string, access?: Access) => Result<readonly ResourceHistoryEntry<Resource>[]>;
};

/** The resource of a version that is handed on as text: what was derived is what is read. */
export const resourceOf = <Resource>({ json }: Pick<ResourceVersion, 'json'>): Resource =>
  JSON.parse(json) as Resource;

/** The same reads, of resources instead of their texts. */
export const resourceReads = <Resource>(json: JsonReads): ResourceReads<Resource> => ({
  read: (id, access) => pipe(json.read(id, access), TE.map(resourceOf<Resource>)),
  search: (parameters, options) =>
    pipe(
      json.search(parameters, options),
      TE.map((bundle) => JSON.parse(bundle) as Bundle<Resource>),
    ),
  history: (id, access) =>
    pipe(
      json.history(id, access),
      TE.map((versions) => versions.map(parsedEntry<Resource>)),
    ),
});
