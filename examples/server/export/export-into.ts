import type { AnyClinicalRecords } from '@clinical-records/core';
import { CommandError } from '../command/command-error.ts';
import { type DataLocation, locationName } from '../open/data-location.ts';
import { recordsReasonOf } from '../open/records-reason.ts';
import { useUnchanged } from '../open/use-unchanged.ts';
import { createExportProgress } from './export-progress.ts';
import { createTypeFiles } from './type-files.ts';
import { createWholeFolder } from './whole-folder.ts';

type ExportContext = { readonly signal: AbortSignal; readonly write: (text: string) => unknown };

/** Writes the resources into files by their types, and returns how many there are of each. */
const writeResources = async (
  { exporter }: AnyClinicalRecords,
  folder: string,
  { signal, write }: ExportContext,
): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>();
  const files = createTypeFiles(folder);
  try {
    const { resources } = await exporter.begin({ onProgress: createExportProgress(write) });
    for await (const { type, json } of resources) {
      if (signal.aborted) {
        throw new CommandError('the export was stopped, and nothing of it is left', 'failure');
      }
      files.write(type, json);
      counts.set(type, (counts.get(type) ?? 0) + 1);
    }
    files.finish();
  } finally {
    files.close();
  }
  return counts;
};

/**
 * Exports the current resources of a location into a new folder, as `--import` imports them, while others may use the data.
 * Throws a `CommandError` if that fails.
 */
export const exportInto = async (
  folder: string,
  data: DataLocation,
  context: ExportContext,
): Promise<void> => {
  const name = locationName(data);
  try {
    const counts = await createWholeFolder(folder, (filling) =>
      useUnchanged(data, (records) => writeResources(records, filling, context)),
    );
    const list = [...counts].map(([type, count]) => `${count} ${type}`).join(', ');
    console.log(`Exported ${name} into ${folder}: ${list || 'nothing'}`);
  } catch (cause) {
    if (cause instanceof CommandError) throw cause;
    throw new CommandError(`cannot export ${name} into ${folder}: ${recordsReasonOf(cause)}`, 'data');
  }
};
