import type { ExportProgress } from '@clinical-records/core';

/** Shows how far an export is: a line for each tenth. */
export const createExportProgress = (
  write: (text: string) => unknown,
): ((progress: ExportProgress) => void) => {
  let tenths = 0;
  return ({ records, total, exported }) => {
    // Others may write meanwhile.
    const reached = Math.min(10, Math.floor((10 * records) / Math.max(1, total)));
    if (reached <= tenths) return;
    tenths = reached;
    write(`Exporting: ${10 * reached} %, ${exported} resources\n`);
  };
};
