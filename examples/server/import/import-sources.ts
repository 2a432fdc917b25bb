import type { ClinicalRecords, ImportProgress, ImportReport } from '@clinical-records/core';
import { CommandError } from '../command-error.ts';
import type { SourceFile } from './find-sources.ts';
import type { IssueFile } from './issue-file.ts';
import { createProgressDisplay, type Screen } from './progress-display.ts';
import { readResources } from './read-resources.ts';
import { issueLine } from './report-text.ts';

/** The report of an import, and the place of each item in its file. */
export type LocatedReport = { readonly report: ImportReport; readonly locationOf: (item: number) => string };

type ImportContext = {
  readonly signal: AbortSignal;
  readonly screen: Screen;
  /** Gets each issue when it occurs, and is closed at the end. */
  readonly issueFile: IssueFile;
};

/**
 * Imports files, and shows the progress. Throws a `CommandError` when the signal comes. Everything imported before is
 * kept.
 */
export const importSources = async (
  { importer }: ClinicalRecords,
  sources: readonly SourceFile[],
  { signal, screen, issueFile }: ImportContext,
): Promise<LocatedReport> => {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const display = createProgressDisplay(screen);
  let bytesRead = 0;
  let progress: ImportProgress = { read: 0, imported: 0, waiting: 0 };
  const share = () => (total === 0 ? 1 : Math.min(1, bytesRead / total));
  const goOn = () => {
    display.show(share(), progress);
    if (!signal.aborted) return;
    throw new CommandError(
      'the import was stopped; what was taken stays, and to import again takes the rest',
      1,
    );
  };

  const { texts, locationOf } = readResources(sources, (bytes) => {
    bytesRead += bytes;
    goOn();
  });
  try {
    const report = await importer.load(texts, {
      onProgress: (reached) => {
        progress = reached;
        goOn();
      },
      onIssue: (problem) => issueFile.write(issueLine(problem, locationOf)),
    });
    return { report, locationOf };
  } catch (failure) {
    // The load failed because a file could not be read or written, or because of the signal.
    throw failure instanceof Error && failure.cause instanceof CommandError ? failure.cause : failure;
  } finally {
    issueFile.close();
    display.end(share(), progress);
  }
};
