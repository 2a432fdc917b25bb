import type { Verification } from '@clinical-records/core';
import type { DataLocation } from '../open/data-location.ts';
import { verifyDatabase } from './verify-database.ts';
import { verifyFile } from './verify-file.ts';

/** Verifies data without changing it, and prints the result. Throws a `CommandError` if there are issues. */
export const verify = (data: DataLocation, keptHead?: string): Promise<Verification> =>
  data._tag === 'File' ? verifyFile(data.filename, keptHead) : verifyDatabase(data, keptHead);
