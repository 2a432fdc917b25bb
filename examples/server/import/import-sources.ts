import { type ClinicalRecords, type ImportReport, orThrow } from '@clinical-records/core';
import { progressOn, type Screen } from './progress.ts';
import { resourcesOf } from './resources.ts';
import type { Source } from './sources.ts';

/** Takes in what files hold, and shows how far it is. Once the signal comes, what was read is taken in, and no more is read. */
export const importSources = async (
  { importer }: ClinicalRecords,
  sources: readonly Source[],
  { signal, screen }: { readonly signal: AbortSignal; readonly screen: Screen },
): Promise<ImportReport> => {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  let bytesRead = 0;
  const resources = resourcesOf(sources, {
    signal,
    onBytes: (bytes) => {
      bytesRead += bytes;
    },
  });
  const display = progressOn(screen);
  try {
    return await orThrow(
      importer.load(resources, {
        onProgress: (progress) => display.show(total === 0 ? 1 : bytesRead / total, progress),
      }),
    );
  } finally {
    display.end();
  }
};
