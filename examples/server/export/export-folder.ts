import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { BulkExportOptions } from '@clinical-records/http-adapter';
import { isInMemory } from '../data-location.ts';
import type { Site } from '../site.ts';

/** Keeps the files of `$export` in a folder. Only its owner can read them. The files of an earlier process are removed. */
const createExportFolder = async (folder: string): Promise<BulkExportOptions['files']> => {
  await rm(folder, { recursive: true, force: true });
  return {
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
  };
};

/** The exports of a file that one process serves, in a folder beside it. Null for other data: exports belong to one process. */
export const createSiteExport = async ({
  data,
  isPortShared,
}: Pick<Site, 'data' | 'isPortShared'>): Promise<BulkExportOptions | null> =>
  data._tag === 'Database' || isInMemory(data) || isPortShared
    ? null
    : { files: await createExportFolder(`${data.filename}.exports`) };
