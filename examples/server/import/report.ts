import type { ImportCounts, ImportProblem } from '@clinical-records/core';
import type { Imported } from './import-sources.ts';

const counted = (counts: ImportCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing';

/** What a file says must not move the cursor of a terminal, nor begin a line of its own. */
const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, '\ufffd');

/** As compilers report theirs: the file and the line come first. */
export const problemLine = (
  { type, id, item, reason }: ImportProblem,
  placeOf: Imported['placeOf'],
): string => {
  const name = [type, id].filter((part) => part !== '').join('/');
  return printable([placeOf(item), name, reason].filter((part) => part !== '').join(': '));
};

/** What became of an import, and which files were none of it, for people. */
export const reportText = (
  { report, placeOf }: Imported,
  { passedOver, problemFile }: { readonly passedOver: readonly string[]; readonly problemFile: string },
): string => {
  const { taken, alreadyHere, notKept, problems, problemsByRule } = report;
  const total = Object.values(problemsByRule).reduce((sum, count) => sum + count, 0);
  const lines = [
    ...(passedOver.length === 0
      ? []
      : [`passed over, as no file of *.ndjson, *.json or either with .gz: ${passedOver.join(', ')}`]),
    `taken: ${counted(taken)}`,
    `already here: ${counted(alreadyHere)}`,
    `not kept: ${counted(notKept)}`,
    ...(total === 0
      ? []
      : [
          `problems: ${total}`,
          `by rule: ${counted(problemsByRule)}`,
          ...problems.map((problem) => `  ${problemLine(problem, placeOf)}`),
          ...(total > problems.length ? [`  and ${total - problems.length} more`] : []),
          `all problems are in ${problemFile}`,
        ]),
  ];
  return lines.map(printable).join('\n');
};
