import * as E from 'fp-ts/lib/Either.js';
import { type AccessOptions, reportReturned } from '../access/access-options.ts';
import type { Reports } from '../access/reports.ts';
import { returnedResourcesOf } from '../access/returned-resources.ts';
import type { Outcome } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import type { EithersOf } from '../outcome.ts';
import type { ChartLimit } from '../records/chart-limit.ts';
import { transact } from '../records/transact.ts';
import type { DirectoryFollower } from './directory-follower.ts';
import type { DirectoryRecords } from './directory-records.ts';
import { type DirectoryEntry, type DirectoryInput, type DirectoryType, memberTypes } from './model.ts';
import { createReadResource } from './read-resource.ts';
import type { DirectoryResource, DirectoryResourceType } from './resources.ts';

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
   * The stored entry, or null if there is none. If the entry is not stored yet, the host is asked for it.
   * Errors: `StoreFailure`; for encounters and notes `RuleViolation`, if the host's entry contradicts a stored one.
   */
  readonly read: <Type extends DirectoryType>(type: Type, id: string) => Promise<DirectoryEntry[Type] | null>;
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
};

/** The reports of the functions. */
export const directoryReports: Reports<Directory> = {
  readResource: (type, id, user) => ({ interaction: 'read', type, id, user }),
};

const isMemberType = isOneOf(memberTypes);

export const createDirectory = (
  directory: DirectoryRecords,
  follower: DirectoryFollower,
): EithersOf<Directory> => {
  const { store, decide, find } = directory;
  const readResource = createReadResource(directory);
  const put = async <Type extends DirectoryType>(
    type: Type,
    input: DirectoryInput[Type],
  ): Outcome<DirectoryEntry[Type]> => {
    const changed = await transact(store)(decide[type](input));
    if (E.isLeft(changed)) return changed;
    const { entry } = changed.right;
    if (!isMemberType(type)) return E.right(entry);
    const followed = await follower.afterMember(store, type, entry.id);
    return E.isLeft(followed) ? followed : E.right(entry);
  };
  return {
    put,
    read: async (type, id) => {
      const found = await find(type, id);
      return E.isLeft(found) ? found : E.right(found.right.state);
    },
    readResource: (type, id, options = {}) =>
      reportReturned(options, readResource(type, id, options), returnedResourcesOf),
  };
};
