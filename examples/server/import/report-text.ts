import type { ImportCounts, ImportIssue } from '@clinical-records/core';
import type { LocatedReport } from './import-sources.ts';

const countsText = (counts: ImportCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing';

/** Texts of a file must not move the cursor of a terminal, or begin a new line. */
const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, '\ufffd');

/** The file and the line come first, as in the output of compilers. */
export const issueLine = (
  { type, id, item, reason }: ImportIssue,
  locationOf: LocatedReport['locationOf'],
): string => {
  const name = [type, id].filter((part) => part !== '').join('/');
  return printable([locationOf(item), name, reason].filter((part) => part !== '').join(': '));
};

/** The report of an import and the ignored files, for people. */
export const reportText = (
  { report, locationOf }: LocatedReport,
  { passedOver, issueFile }: { readonly passedOver: readonly string[]; readonly issueFile: string },
): string => {
  const { taken, alreadyHere, notKept, issues, issuesByRule } = report;
  const total = Object.values(issuesByRule).reduce((sum, count) => sum + count, 0);
  const lines = [
    ...(passedOver.length === 0
      ? []
      : [`passed over, as no file of *.ndjson, *.json or either with .gz: ${passedOver.join(', ')}`]),
    `taken: ${countsText(taken)}`,
    `already here: ${countsText(alreadyHere)}`,
    `not kept: ${countsText(notKept)}`,
    ...(total === 0
      ? []
      : [
          `problems: ${total}`,
          `by rule: ${countsText(issuesByRule)}`,
          ...issues.map((problem) => `  ${issueLine(problem, locationOf)}`),
          ...(total > issues.length ? [`  and ${total - issues.length} more`] : []),
          `all problems are in ${issueFile}`,
        ]),
  ];
  return lines.map(printable).join('\n');
};
