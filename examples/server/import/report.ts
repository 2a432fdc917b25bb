import type { ImportProblem, ImportReport } from '@clinical-records/core';

const counted = (counts: ImportReport['taken']): string =>
  Object.entries(counts)
    .map(([type, count]) => `${count} ${type}`)
    .join(', ') || 'nothing';

const problem = ({ type, id, item, reason }: ImportProblem): string =>
  `  ${[type, id].filter((part) => part !== '').join('/') || `item ${item}`}: ${reason}`;

/** What a file says must not move the cursor of a terminal, nor begin a line of its own. */
const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, '\ufffd');

/** What became of an import, and which files were none of it, for people. */
export const reportText = (
  { taken, alreadyHere, notKept, problems }: ImportReport,
  passedOver: readonly string[],
): string =>
  [
    ...(passedOver.length === 0
      ? []
      : [`passed over, as no *.ndjson and no *.json: ${passedOver.join(', ')}`]),
    `taken: ${counted(taken)}`,
    `already here: ${counted(alreadyHere)}`,
    `not kept: ${counted(notKept)}`,
    ...(problems.length === 0 ? [] : [`problems: ${problems.length}`, ...problems.map(problem)]),
  ]
    .map(printable)
    .join('\n');
