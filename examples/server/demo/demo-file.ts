import { existsSync, linkSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { useRecords } from '../use-records.ts';
import { createPastClock } from './calendar.ts';
import { putDemoClinic } from './demo-clinic.ts';

const fill = (filename: string): Promise<void> =>
  useRecords({ _tag: 'File', filename }, putDemoClinic, { clock: createPastClock(60) });

/** A new folder beside a file; null if none can be created, because then the file cannot be created either. */
const folderBeside = (filename: string): string | null => {
  try {
    return mkdtempSync(`${filename}.demo-`);
  } catch {
    return null;
  }
};

/**
 * Creates a file with the demo clinic, unless it exists. It appears whole or not at all, even if the process is killed.
 * It is filled elsewhere, and gets its name at the end. Only one of several processes names it.
 */
export const createDemoFile = async (filename: string): Promise<void> => {
  if (existsSync(filename)) return;
  const folder = folderBeside(filename);
  if (folder === null) return;
  try {
    const filled = join(folder, 'clinic.db');
    await fill(filled);
    linkSync(filled, filename);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
  } finally {
    rmSync(folder, { recursive: true });
  }
};
