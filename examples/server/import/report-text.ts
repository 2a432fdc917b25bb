import type { ImportCounts, ImportIssue, ImportReport } from '@clinical-records/core';
import { sourceFormats } from './find-sources.ts';

const countsText = (counts: ImportCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing';

/** Texts of a file must not move the cursor of a terminal, or begin a new line. */
const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, '\ufffd');

/** The file and the line come first, as in the output of compilers. */
export const issueLine = ({ type, id, file, line, expression, message }: ImportIssue): string => {
  const name = [type, id].filter((part) => part !== '').join('/');
  const parts = [line === undefined ? file : `${file}:${line}`, name, expression, message];
  return printable(parts.filter((part) => part !== undefined && part !== '').join(': '));
};

/** The report of an import and the ignored files, for people. */
export const reportText = (
  { imported, unchanged, unsupported, lostElements, issues, issuesByRule }: ImportReport,
  { passedOver, issueFile }: { readonly passedOver: readonly string[]; readonly issueFile: string },
): string => {
  const total = Object.values(issuesByRule).reduce((sum, count) => sum + count, 0);
  const lines = [
    ...(passedOver.length === 0
      ? []
      : [`skipped, because it is not a ${sourceFormats}: ${passedOver.join(', ')}`]),
    `imported: ${countsText(imported)}`,
    `unchanged: ${countsText(unchanged)}`,
    `unsupported: ${countsText(unsupported)}`,
    `not stored: ${countsText(lostElements)}`,
    ...(total === 0
      ? []
      : [
          `issues: ${total}`,
          `by rule: ${countsText(issuesByRule)}`,
          ...issues.map((issue) => `  ${issueLine(issue)}`),
          ...(total > issues.length ? [`  and ${total - issues.length} more`] : []),
          `all issues are in ${issueFile}`,
        ]),
  ];
  return lines.map(printable).join('\n');
};
