import {
  type ClinicalRecords,
  type ImportProgress,
  type ImportReport,
  orThrow,
} from '@clinical-records/core';
import { Refusal } from '../refusal.ts';
import type { ProblemFile } from './problem-file.ts';
import { progressOn, type Screen } from './progress.ts';
import { problemLine } from './report.ts';
import { resourcesOf } from './resources.ts';
import type { Source } from './sources.ts';

/** What became of an import, and where each item of it stands in its file. */
export type Imported = { readonly report: ImportReport; readonly placeOf: (item: number) => string };

type Surroundings = {
  readonly signal: AbortSignal;
  readonly screen: Screen;
  /** Gets each problem as it occurs, and is closed in the end. */
  readonly problemFile: ProblemFile;
};

/** Takes in what files hold, and shows how far it is. Throws a `Refusal` once the signal comes: what was taken by then stays. */
export const importSources = async (
  { importer }: ClinicalRecords,
  sources: readonly Source[],
  { signal, screen, problemFile }: Surroundings,
): Promise<Imported> => {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const display = progressOn(screen);
  let bytesRead = 0;
  let progress: ImportProgress = { read: 0, taken: 0, waiting: 0 };
  const share = () => (total === 0 ? 1 : Math.min(1, bytesRead / total));
  const goOn = () => {
    display.show(share(), progress);
    if (!signal.aborted) return;
    throw new Refusal('the import was stopped; what was taken stays, and to import again takes the rest', 1);
  };

  const { texts, placeOf } = resourcesOf(sources, (bytes) => {
    bytesRead += bytes;
    goOn();
  });
  try {
    const report = await orThrow(
      importer.load(texts, {
        onProgress: (reached) => {
          progress = reached;
          goOn();
        },
        onProblem: (problem) => problemFile.write(problemLine(problem, placeOf)),
      }),
    );
    return { report, placeOf };
  } catch (failure) {
    // A file that cannot be read or written, or the signal, is what the load failed of.
    throw failure instanceof Error && failure.cause instanceof Refusal ? failure.cause : failure;
  } finally {
    problemFile.close();
    display.end(share(), progress);
  }
};
