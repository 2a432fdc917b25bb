/** Keeps the files of exports. Each function may be slow, and rejects if it fails. */
export type ExportFiles = {
  /** Writes a file of an export. Both names consist of letters, digits, dots and hyphens. */
  readonly write: (exportId: string, name: string, text: string) => Promise<void>;
  /** The text of a file; null if there is none. */
  readonly read: (exportId: string, name: string) => Promise<string | null>;
  /** Removes all files of an export, if there are any. */
  readonly remove: (exportId: string) => Promise<void>;
};

/** The options of `$export`. Source: FHIR Bulk Data Access 2.0. */
export type BulkExportOptions = {
  /** Keeps the files until they expire, or the client deletes the export. They have data of charts. */
  readonly files: ExportFiles;
  /** How many exports may run or be kept at the same time. One more is a 429. Default: 4. */
  readonly maxExports?: number;
  /** How many of them may be of one principal, the same `subject` and `client`. One more is a 429. Default: 2. */
  readonly maxExportsPerPrincipal?: number;
  /** How long the files of a complete export are kept, in milliseconds. Default: an hour. */
  readonly keepFor?: number;
};

/** Throws if plain JavaScript got the option wrong. */
export const checkBulkExport = ({
  files,
  maxExports = 1,
  maxExportsPerPrincipal = 1,
  keepFor = 1,
}: BulkExportOptions): void => {
  if ([files?.write, files?.read, files?.remove].some((one) => typeof one !== 'function')) {
    throw new TypeError('bulkExport.files must have the functions write, read and remove.');
  }
  const counts = [maxExports, maxExportsPerPrincipal];
  if (counts.some((count) => !Number.isInteger(count) || count < 1) || !(keepFor > 0)) {
    throw new RangeError(
      'bulkExport.maxExports and maxExportsPerPrincipal must be whole numbers of 1 or more, and keepFor more than 0.',
    );
  }
};
