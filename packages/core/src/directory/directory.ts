import * as E from 'fp-ts/lib/Either.js';
import { type AccessOptions, reportReturned, returnedResourcesOf } from '../access/access.ts';
import {
  type ChartLimit,
  limitForms,
  type ReadOptions,
  readForms,
  viewForms,
} from '../access/chart-limit.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, notFound, type Outcome, otherChartError } from '../errors.ts';
import type { Bundle } from '../fhir/bundle.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { isOneOf } from '../fhir/schema.ts';
import { anything, type Form, id, oneOf } from '../forms.ts';
import type { FunctionTable } from '../open-service.ts';
import type { EithersOf } from '../outcome.ts';
import { createBufferedStore } from '../records/buffered-store.ts';
import type { OpenReferenced } from '../records/include.ts';
import { openReach, type Reach } from '../records/reach.ts';
import { transact } from '../records/transact.ts';
import { type SearchPairs, type SearchSort, searchParameters } from '../search/search-input.ts';
import type { DirectoryFollower, DirectoryRecords } from './directory-records.ts';
import {
  type DirectoryEntry,
  type DirectoryInput,
  type DirectoryType,
  directoryTypes,
  isMemberType,
} from './model.ts';
import {
  type DirectoryResource,
  type DirectoryResourceType,
  deriveDirectoryResource,
  directoryResourceTypes,
} from './resources.ts';
import {
  createSearchEntries,
  createTypedSearch,
  type DirectoryJsonSearch,
  type DirectorySearch,
  type DirectorySearchType,
  directorySearchTypes,
} from './search.ts';

/**
 * The host's people, encounters and notes, as far as the chart refers to them.
 *
 * After a `StoreFailure`, put the practitioner or the organization again: some teams may still show the old name.
 */
export type Directory = {
  /**
   * Adds an entry or changes it. Once it answers, a new name shows in every care team. Returns the entry as it is kept.
   * Errors: `InvalidRequest`, `StoreFailure`; of encounters and notes also `RuleViolation`.
   *
   * @example
   * await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
   */
  readonly put: <Type extends DirectoryType>(
    type: Type,
    input: DirectoryInput[Type],
  ) => Promise<DirectoryEntry[Type]>;
  /**
   * The stored entry, or null if there is none. If the entry is not stored yet, the host is asked for it. With a limit, its answer is
   * not stored, and an encounter or a note of another chart counts as missing. Errors: `Forbidden`, `StoreFailure`; for encounters
   * and notes `RuleViolation`, if the host's entry contradicts a stored one.
   */
  readonly read: <Type extends DirectoryType>(
    type: Type,
    id: string,
    options?: ChartLimit,
  ) => Promise<DirectoryEntry[Type] | null>;
  /**
   * The entry as a FHIR resource, with what the directory knows and nothing else. If the entry is not stored yet, the host is
   * asked for it, and its answer is not stored. Errors: `NotFound`, `Forbidden`, `StoreFailure`.
   *
   * @example
   * const { name } = await records.directory.readResource('Patient', '7');
   */
  readonly readResource: <Type extends DirectoryResourceType>(
    type: Type,
    id: string,
    options?: ChartLimit & AccessOptions,
  ) => Promise<DirectoryResource[Type]>;
  /**
   * A page of the stored patients, practitioners or organizations that match, in the order in which they were first stored. The host
   * is not asked for others. A limit to charts is one for patients: everybody may find practitioners and organizations.
   * Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`.
   *
   * @example
   * const { entry = [] } = await records.directory.search('Patient', { name: 'amy sh' });
   */
  readonly search: <Type extends DirectorySearchType>(
    type: Type,
    parameters: (DirectorySearch[Type] & SearchSort) | SearchPairs,
    options?: ReadOptions,
  ) => Promise<Bundle<DirectoryResource[Type]>>;
  /** The same with JSON texts as results. */
  readonly asJson: {
    /** A `Bundle` as JSON text. Errors: `InvalidRequest`, `Forbidden`, `TooCostly`, `StoreFailure`. */
    readonly search: <Type extends DirectorySearchType>(
      type: Type,
      parameters: DirectoryJsonSearch<Type> | SearchPairs,
      options?: ReadOptions,
    ) => Promise<string>;
  };
};

/** The patient to whose chart an entry belongs; null for a practitioner or an organization. */
const chartOf = (type: DirectoryType, entry: object): string | null => {
  const { id, patientId = null } = entry as { readonly id: string; readonly patientId?: string };
  return type === 'Patient' ? id : patientId;
};

/**
 * Reads an entry within reach; null if there is none. The host is asked for an entry that is not there yet. Its answer is not stored,
 * because a read writes nothing, and an answer that contradicts stored entries counts as missing.
 */
const createReadEntry =
  (directory: DirectoryRecords) =>
  async <Type extends DirectoryType>(
    type: Type,
    id: string,
    reach: Reach,
  ): Outcome<DirectoryEntry[Type] | null> => {
    if (type === 'Patient' && !reach.admits(id)) return E.left(otherChartError);
    const buffer = createBufferedStore(directory.store);
    const entry = await directory.onStore(buffer.store, reach.patientIds).find(type, id);
    if (E.isLeft(entry)) return entry.left._tag === 'RuleViolation' ? E.right(null) : entry;
    const { state } = entry.right;
    const patientId = state && chartOf(type, state);
    const isShown = patientId === null || (await reach.allows(patientId, { id }));
    return E.right(isShown ? state : null);
  };

/** Opens a reader of entries as resources. */
const createOpenResources = (directory: DirectoryRecords) => {
  const readEntry = createReadEntry(directory);
  return <Type extends DirectoryResourceType>(type: Type, limit: ChartLimit) => {
    const reach = openReach(limit);
    return async (id: string): Outcome<DirectoryResource[Type]> => {
      if (E.isLeft(reach)) return reach;
      const entry = await readEntry(type, id, reach.right);
      if (E.isLeft(entry)) return entry;
      return entry.right === null
        ? E.left(notFound(type, id))
        : E.right(deriveDirectoryResource[type](entry.right));
    };
  };
};

const isDirectoryResourceType = isOneOf(directoryResourceTypes);

/** Reads what the directory knows of resources to which a match of a search refers. */
export const createOpenReferenced = (directory: DirectoryRecords): OpenReferenced => {
  const openResources = createOpenResources(directory);
  return (type, limit) => {
    if (!isDirectoryResourceType(type)) return async () => E.right(null);
    const read = openResources(type, limit);
    return async (id) => E.map(JSON.stringify)(await read(id));
  };
};

const typeOf = (types: readonly string[]): Form => ({
  ...oneOf(...types),
  error: invalidRequest(bodyIssue('value', 'type', types)),
});

const search = {
  kind: 'search',
  takes: [typeOf(directorySearchTypes), searchParameters],
  options: readForms,
  access: (type, parameters, user) => ({ interaction: 'search', type, parameters, user }),
} as const satisfies FunctionTable<Directory>['search'];

export const directoryFunctions: FunctionTable<Directory> = {
  put: { kind: 'write', takes: [typeOf(directoryTypes), anything] },
  read: { kind: 'read', takes: [typeOf(directoryTypes), id], options: limitForms },
  readResource: {
    kind: 'read',
    takes: [typeOf(directoryResourceTypes), id],
    options: viewForms,
    access: (type, id, user) => ({ interaction: 'read', type, id, user }),
  },
  search,
  asJson: { search },
};

export const createDirectory = (
  environment: Environment,
  directory: DirectoryRecords,
  follower: DirectoryFollower,
): EithersOf<Directory> => {
  const { store, decide, find } = directory;
  const searchJson = createSearchEntries(environment);
  const searchBundle = createTypedSearch(searchJson);
  const readEntry = createReadEntry(directory);
  const openResources = createOpenResources(directory);
  const put = async <Type extends DirectoryType>(
    type: Type,
    input: DirectoryInput[Type],
  ): Outcome<DirectoryEntry[Type]> => {
    const changed = await transact(store, null)(decide[type](input));
    if (E.isLeft(changed)) return changed;
    const { entry } = changed.right;
    if (!isMemberType(type)) return E.right(entry);
    const followed = await follower.afterMember(store, type, entry.id);
    return E.isLeft(followed) ? followed : E.right(entry);
  };
  return {
    put,
    read: async (type, id, limit = {}) => {
      const reach = openReach(limit);
      if (E.isLeft(reach)) return reach;
      if (reach.right.isLimited) return readEntry(type, id, reach.right);
      const entry = await find(type, id);
      return E.isLeft(entry) ? entry : E.right(entry.right.state);
    },
    readResource: (type, id, options = {}) =>
      reportReturned(options, openResources(type, options)(id), returnedResourcesOf),
    search: searchBundle,
    asJson: { search: searchJson },
  };
};
