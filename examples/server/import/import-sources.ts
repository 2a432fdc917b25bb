import type { AnyClinicalRecords, ImportProgress, ImportReport, UpdateMode } from '@clinical-records/core';
import { CommandError } from '../command/command-error.ts';
import type { SourceFile } from './find-sources.ts';
import type { IssueFile } from './issue-file.ts';
import { createProgressDisplay, type Screen } from './progress-display.ts';
import { readResources } from './read-resources.ts';
import { issueLine } from './report-text.ts';

type ImportContext = {
  readonly signal: AbortSignal;
  readonly screen: Screen;
  /** Gets each issue when it occurs, and is closed at the end. */
  readonly issueFile: IssueFile;
  /** The records that exist and that the import may update. */
  readonly updates?: UpdateMode;
};

/**
 * Imports files, and shows the progress. Throws a `CommandError` when the signal comes. Everything imported before is
 * kept.
 */
export const importSources = async (
  { importer }: AnyClinicalRecords,
  sources: readonly SourceFile[],
  { signal, screen, issueFile, updates = 'newer' }: ImportContext,
): Promise<ImportReport> => {
  const total = sources.reduce((sum, { bytes }) => sum + bytes, 0);
  const display = createProgressDisplay(screen);
  let bytesRead = 0;
  let progress: ImportProgress = { read: 0, imported: 0, waiting: 0 };
  const share = () => (total === 0 ? 1 : Math.min(1, bytesRead / total));
  const goOn = () => {
    display.show(share(), progress);
    if (!signal.aborted) return;
    throw new CommandError(
      'the import was stopped; imported resources stay, and importing again imports the rest',
      'failure',
    );
  };

  const texts = readResources(sources, (bytes) => {
    bytesRead += bytes;
    goOn();
  });
  try {
    return await importer.load(texts, {
      createNotes: true,
      updates,
      onProgress: (reached) => {
        progress = reached;
        goOn();
      },
      onIssue: (issue) => issueFile.write(issueLine(issue)),
    });
  } catch (failure) {
    // The load failed because a file could not be read or written, or because of the signal.
    throw failure instanceof Error && failure.cause instanceof CommandError ? failure.cause : failure;
  } finally {
    issueFile.close();
    display.end(share(), progress);
  }
};
