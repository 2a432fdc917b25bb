import { existsSync, linkSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { CommandError, uncreatableError } from '../command/command-error.ts';
import type { FileLocation } from './data-location.ts';
import { hasFile } from './find-file.ts';

const folderBeside = (filename: string): string => {
  try {
    return mkdtempSync(`${filename}.new-`);
  } catch (cause) {
    throw uncreatableError(filename, cause);
  }
};

/** The file gets its name without its log. SQLite keeps the log, and reports no error, if it cannot copy it at the end. */
const requireNoLog = (filled: string, filename: string): void => {
  if (existsSync(`${filled}-wal`))
    throw new CommandError(
      `cannot create ${filename}: its log cannot be copied into it, for example because the disk is full`,
      'data',
    );
};

/**
 * Creates a file as `fill` fills it; returns false if it exists. It appears whole or not at all, even if the process is
 * killed. It is filled elsewhere, and gets its name at the end. Only one of several processes names it. Throws a
 * `CommandError` if it cannot be created.
 */
export const createWholeFile = async (
  { filename }: FileLocation,
  fill: (location: FileLocation) => Promise<void>,
): Promise<boolean> => {
  if (hasFile(filename)) return false;
  const folder = folderBeside(filename);
  try {
    const filled = join(folder, 'clinic.db');
    await fill({ _tag: 'File', filename: filled });
    requireNoLog(filled, filename);
    linkSync(filled, filename);
    return true;
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    return false;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
