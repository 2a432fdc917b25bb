import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { Result } from '../errors.ts';
import type { Bundle } from '../fhir/bundle.ts';
import { instantText } from '../fhir/date-time.ts';
import type { SearchParameters } from '../search/search.ts';
import type { StoredRecord } from '../store/port.ts';
import type { Access, ReadOptions } from './access.ts';
import type { JsonReads } from './json-reads.ts';
import type { ResourceVersion } from './resource-version.ts';

/** One version of a resource, with who made it and when; `resource` is null where there was nothing to be read. */
export type Version<Resource> = {
  readonly version: number;
  /** ISO 8601, with fractional seconds and UTC offset. */
  readonly at: string;
  readonly by: string | null;
  readonly resource: Resource | null;
};

/** What can be read of one type of resource. */
export type ResourceReads<Resource> = {
  /** The resource of an id. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly read: (id: string, access?: Access) => Result<Resource>;
  /** A page of those that match. Errors: `InvalidRequest`, `Forbidden`, `StoreFailure`. */
  readonly search: (parameters: SearchParameters, options?: ReadOptions) => Result<Bundle<Resource>>;
  /** Every version, newest first. Errors: `NotFound`, `Forbidden`, `StoreFailure`. */
  readonly history: (id: string, access?: Access) => Result<readonly Version<Resource>[]>;
};

/** The resource of a version that is handed on as text: what was derived is what is read. */
export const resourceOf = <Resource>({ json }: Pick<ResourceVersion, 'json'>): Resource =>
  JSON.parse(json) as Resource;

/** What is told of a version that is stored. */
export const versionFrom = <Resource>({ version, at, by, resource }: StoredRecord): Version<Resource> => ({
  version,
  at: instantText(at),
  by,
  resource: resource === null ? null : resourceOf<Resource>({ json: resource }),
});

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
      TE.map((versions) => versions.map(versionFrom<Resource>)),
    ),
});
