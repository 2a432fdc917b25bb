import type { ImportProblem, ImportReport } from '@clinical-records/core';
import type { Imported } from './import-sources.ts';

const counted = (counts: ImportReport['taken']): string =>
  Object.entries(counts)
    .map(([type, count]) => `${count} ${type}`)
    .join(', ') || 'nothing';

/** As compilers tell of theirs: the file and the line come first. */
const problem =
  (placeOf: Imported['placeOf']) =>
  ({ type, id, item, reason }: ImportProblem): string => {
    const name = [type, id].filter((part) => part !== '').join('/');
    return `  ${[placeOf(item), name, reason].filter((part) => part !== '').join(': ')}`;
  };

/** What a file says must not move the cursor of a terminal, nor begin a line of its own. */
const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, '\ufffd');

/** What became of an import, and which files were none of it, for people. */
export const reportText = ({ report, placeOf }: Imported, passedOver: readonly string[]): string => {
  const { taken, alreadyHere, notKept, problems } = report;
  const lines = [
    ...(passedOver.length === 0
      ? []
      : [`passed over, as no *.ndjson and no *.json: ${passedOver.join(', ')}`]),
    `taken: ${counted(taken)}`,
    `already here: ${counted(alreadyHere)}`,
    `not kept: ${counted(notKept)}`,
    ...(problems.length === 0 ? [] : [`problems: ${problems.length}`, ...problems.map(problem(placeOf))]),
  ];
  return lines.map(printable).join('\n');
};
