import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BulkExportOptions } from '@clinical-records/http-adapter';
import { uncreatableError } from '../command/command-error.ts';
import { isInMemory } from '../open/data-location.ts';
import type { Site } from '../serve/site.ts';
import { createGroupMembers } from './groups.ts';

const exportIdPattern = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Removes the files of an earlier process. An export has a UUID. */
const removeExports = async (folder: string): Promise<void> => {
  if (!existsSync(folder)) return;
  const ids = (await readdir(folder)).filter((name) => exportIdPattern.test(name));
  await Promise.all(ids.map((id) => rm(join(folder, id), { recursive: true, force: true })));
};

/** Keeps the files of `$export` in a folder, which the first export creates. Only its owner can read them. */
const createExportFiles = (folder: string): BulkExportOptions['files'] => ({
  write: async (exportId, name, text) => {
    await mkdir(join(folder, exportId), { recursive: true, mode: 0o700 });
    await writeFile(join(folder, exportId, name), text, { mode: 0o600 });
  },
  read: async (exportId, name) => {
    try {
      return await readFile(join(folder, exportId, name), 'utf8');
    } catch (cause) {
      if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
      throw cause;
    }
  },
  remove: (exportId) => rm(join(folder, exportId), { recursive: true, force: true }),
});

/** The folder that a flag names, or the one beside a file. */
const folderOf = ({ data, bulkExport }: Pick<Site, 'data' | 'bulkExport'>): string | null => {
  if (bulkExport !== undefined) return bulkExport;
  return data._tag === 'Database' || isInMemory(data) ? null : `${data.filename}.exports`;
};

/** The exports of a site; null without a folder. With several processes, there are none: an export belongs to one. */
export const createSiteExport = async (
  site: Pick<Site, 'data' | 'bulkExport' | 'groups' | 'isPortShared'>,
): Promise<BulkExportOptions | null> => {
  const folder = folderOf(site);
  if (folder === null) return null;
  try {
    // A folder that cannot be created is reported at the start.
    if (site.bulkExport !== undefined) await mkdir(folder, { recursive: true, mode: 0o700 });
    await removeExports(folder);
  } catch (cause) {
    throw uncreatableError(folder, cause);
  }
  if (site.isPortShared) return null;
  return {
    files: createExportFiles(folder),
    ...(site.groups !== undefined && { groupMembers: createGroupMembers(site.groups) }),
  };
};
