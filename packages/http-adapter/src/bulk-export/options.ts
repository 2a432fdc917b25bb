import { longestTimer, requireNumbers } from '@clinical-records/core/store';
import type { Principal } from '../access/scopes.ts';
import type { HttpRequest } from '../http.ts';

/** Keeps the files of exports. Each function may be slow, and rejects if it fails. */
export type ExportFiles = {
  /** Writes a file of an export. Both names consist of letters, digits, dots and hyphens. */
  readonly write: (exportId: string, name: string, text: string) => Promise<void>;
  /** The text of a file; null if there is none. */
  readonly read: (exportId: string, name: string) => Promise<string | null>;
  /** Removes all files of an export, if there are any. If it rejects, it is called again with the next request for an export. */
  readonly remove: (exportId: string) => Promise<void>;
};

/** Finds the patients of a group for a client, whose scopes already allow the export. */
export type GroupMembers = (
  groupId: string,
  sender: { readonly principal: Principal; readonly request: HttpRequest },
) => Promise<readonly string[] | null> | readonly string[] | null;

/** The options of `$export`. Source: FHIR Bulk Data Access 2.0. */
export type BulkExportOptions = {
  /** Keeps the files until they expire, or the client deletes the export. They have data of charts. */
  readonly files: ExportFiles;
  /**
   * The ids of the patients who are in a group at this moment; null if there is no such group. With it, `Group/{id}/$export` is
   * served. Ids of patients who are not in the records are ignored.
   */
  readonly groupMembers?: GroupMembers;
  /** How many exports may run at the same time. One more is a 429. Default: 8. */
  readonly maxExports?: number;
  /** How many of them may be of one principal, the same `subject` and `client`. One more is a 429. Default: 4. */
  readonly maxExportsPerPrincipal?: number;
  /** How many ended exports of one principal are kept. With one more, the oldest is removed. Default: 4. */
  readonly maxKept?: number;
  /**
   * The most bytes of the files of these together. Beyond it, the oldest is removed; the latest is kept, whatever its size. Default:
   * 1 GiB.
   */
  readonly maxKeptBytes?: number;
  /** How long the files of a complete export are kept, in milliseconds. Default: an hour. */
  readonly keepFor?: number;
};

/** Throws if plain JavaScript got the option wrong. */
export const checkBulkExport = ({
  files,
  groupMembers = () => null,
  maxExports = 1,
  maxExportsPerPrincipal = 1,
  maxKept = 1,
  maxKeptBytes = 1,
  keepFor = 1,
}: BulkExportOptions): void => {
  if ([files?.write, files?.read, files?.remove].some((operation) => typeof operation !== 'function')) {
    throw new TypeError('bulkExport.files must have the functions write, read and remove.');
  }
  if (typeof groupMembers !== 'function') {
    throw new TypeError('bulkExport.groupMembers must be a function.');
  }
  const counts = { maxExports, maxExportsPerPrincipal, maxKept, maxKeptBytes };
  for (const [name, count] of Object.entries(counts)) {
    if (!Number.isInteger(count) || count < 1)
      throw new RangeError(`bulkExport.${name} must be a whole number of 1 or more.`);
  }
  requireNumbers({ 'bulkExport.keepFor': keepFor }, 1, longestTimer);
};
