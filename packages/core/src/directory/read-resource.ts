import * as E from 'fp-ts/lib/Either.js';
import { notFound, type Outcome } from '../errors.ts';
import { isOneOf } from '../fhir/is-one-of.ts';
import { createBufferedStore } from '../records/buffered-store.ts';
import { type ChartLimit, parseChartLimit, requireWithinLimit } from '../records/chart-limit.ts';
import type { ReadReferenced } from '../records/include-references.ts';
import { isAuthorized } from '../records/is-authorized.ts';
import type { DirectoryRecords } from './directory-records.ts';
import {
  type DirectoryResource,
  type DirectoryResourceType,
  deriveDirectoryResource,
  directoryResourceTypes,
} from './resources.ts';

/** The patient to whose chart an entry belongs. A practitioner or an organization belongs to none. */
const chartsOf = (type: DirectoryResourceType, entry: object): readonly string[] => {
  const { id, patientId } = entry as { readonly id: string; readonly patientId?: string };
  if (type === 'Patient') return [id];
  return patientId === undefined ? [] : [patientId];
};

/**
 * Reads entries as resources. The host is asked for an entry that is not there yet. Its answer is not stored, because a
 * read writes nothing, and an answer that contradicts stored entries counts as missing.
 */
export const createReadResource =
  (directory: DirectoryRecords) =>
  async <Type extends DirectoryResourceType>(
    type: Type,
    id: string,
    limit: ChartLimit = {},
  ): Outcome<DirectoryResource[Type]> => {
    const allowed = type === 'Patient' ? requireWithinLimit(limit)(id) : parseChartLimit(limit);
    if (E.isLeft(allowed)) return allowed;
    const { authorize } = limit;
    const missing = E.left(notFound(type, id));
    const buffer = createBufferedStore(directory.store);
    const found = await directory.onStore(buffer.store, limit).find(type, id);
    if (E.isLeft(found)) return found.left._tag === 'RuleViolation' ? missing : found;
    const { state } = found.right;
    if (state === null) return missing;
    const patientIds = chartsOf(type, state);
    const isVisible =
      authorize === undefined ||
      patientIds.length === 0 ||
      (await isAuthorized(authorize, { id, patientIds }));
    return isVisible ? E.right(deriveDirectoryResource[type](state)) : missing;
  };

const isDirectoryResourceType = isOneOf(directoryResourceTypes);

/** Reads what the directory knows of a resource to which a match of a search refers. */
export const createReadReferenced = (directory: DirectoryRecords): ReadReferenced => {
  const read = createReadResource(directory);
  return async (type, id, limit) =>
    isDirectoryResourceType(type) ? E.map(JSON.stringify)(await read(type, id, limit)) : E.right(null);
};
