import type { ExportProgress } from '@clinical-records/core';

/** The records between two lines. */
const step = 10_000;

/** Shows how far an export is: a line for each ten thousand records. */
export const createExportProgress = (
  write: (text: string) => unknown,
): ((progress: ExportProgress) => void) => {
  let next = step;
  return ({ records, exported }) => {
    if (records < next) return;
    next = records - (records % step) + step;
    write(`Exporting: ${records} records, ${exported} resources\n`);
  };
};
