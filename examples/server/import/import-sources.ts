import {
  type ClinicalRecords,
  type ImportProgress,
  type ImportReport,
  orThrow,
} from '@clinical-records/core';
import { Refusal } from '../refusal.ts';
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
  const display = progressOn(screen);
  let bytesRead = 0;
  let progress: ImportProgress = { read: 0, taken: 0 };
  const share = () => (total === 0 ? 1 : Math.min(1, bytesRead / total));

  const resources = resourcesOf(sources, {
    signal,
    onBytes: (bytes) => {
      bytesRead += bytes;
      display.show(share(), progress);
    },
  });
  const onProgress = (reached: ImportProgress) => {
    progress = reached;
    display.show(share(), progress);
  };
  try {
    return await orThrow(importer.load(resources, { onProgress }));
  } catch (failure) {
    // A file that cannot be read is what the load failed of.
    throw failure instanceof Error && failure.cause instanceof Refusal ? failure.cause : failure;
  } finally {
    display.end(share(), progress);
  }
};
