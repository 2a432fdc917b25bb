import type { ImportIssue, ImportReport } from '@clinical-records/core';
import type { ImportCounts } from '@clinical-records/core/adapter';
import { sourceFormats } from './find-sources.ts';

const countsText = (counts: ImportCounts): string =>
  Object.entries(counts)
    .map(([name, count]) => `${count} ${name}`)
    .join(', ') || 'nothing';

export const totalOf = (counts: ImportCounts): number =>
  Object.values(counts).reduce((sum, count) => sum + count, 0);

/** Texts of a file must not move the cursor of a terminal, or begin a new line. */
const printable = (line: string): string => line.replaceAll(/\p{Cc}/gu, '\ufffd');

/** The file and the line come first, as in the output of compilers. */
export const issueLine = ({ type, id, file, line, severity, expression, message }: ImportIssue): string => {
  const name = [type, id].filter((part) => part !== '').join('/');
  const kind = severity === 'warning' ? 'warning' : undefined;
  const parts = [line === undefined ? file : `${file}:${line}`, kind, name, expression, message];
  return printable(parts.filter((part) => part !== undefined && part !== '').join(': '));
};

/** How many warnings of a rule are shown: they often say the same of many resources. */
const maxExamples = 3;

/** How many warnings there are, and the first of each rule. */
const warningsText = (byRule: ImportCounts, first: readonly ImportIssue[]): readonly string[] => {
  const total = totalOf(byRule);
  if (total === 0) return [];
  const ofRule = Map.groupBy(first, ({ rule }) => rule);
  return [
    `warnings: ${total}`,
    ...Object.entries(byRule).flatMap(([rule, count]) => {
      const examples = (ofRule.get(rule) ?? []).slice(0, maxExamples);
      return [
        `  ${rule}: ${count}`,
        ...examples.map((issue) => `    ${issueLine(issue)}`),
        ...(count > examples.length ? [`    and ${count - examples.length} more`] : []),
      ];
    }),
  ];
};

/** How many issues there are, by rule, and the first of them. */
const issuesText = (byRule: ImportCounts, first: readonly ImportIssue[]): readonly string[] => {
  const total = totalOf(byRule);
  if (total === 0) return [];
  return [
    `issues: ${total}`,
    `by rule: ${countsText(byRule)}`,
    ...first.map((issue) => `  ${issueLine(issue)}`),
    ...(total > first.length ? [`  and ${total - first.length} more`] : []),
  ];
};

/** The numbers of some elements below a heading, the largest first; none if there are no elements. */
const elementsText = (heading: string, counts: ImportCounts): readonly string[] => {
  const elements = Object.entries(counts).toSorted(([, one], [, other]) => other - one);
  if (elements.length === 0) return [];
  const width = Math.max(...elements.map(([, count]) => `${count}`.length));
  return [heading, ...elements.map(([element, count]) => `  ${`${count}`.padStart(width)}  ${element}`)];
};

/** The elements that were not stored. */
const lostText = (lostElements: ImportCounts): readonly string[] =>
  totalOf(lostElements) === 0
    ? ['not stored: nothing']
    : elementsText(
        'not stored, or read with another value, of resources that were imported or unchanged:',
        lostElements,
      );

/** The report of an import and the ignored files, for people. */
export const reportText = (
  { imported, updated, unchanged, unsupported, lostElements, issues, issuesByRule, ...others }: ImportReport,
  { passedOver, issueFile }: { readonly passedOver: readonly string[]; readonly issueFile: string },
): string => {
  const { warnings, warningsByRule, removedElements } = others;
  const lines = [
    ...(passedOver.length === 0
      ? []
      : [`skipped, because it is not a ${sourceFormats}:`, ...passedOver.map((file) => `  ${file}`)]),
    `imported: ${countsText(imported)}`,
    `updated: ${countsText(updated)}`,
    `unchanged: ${countsText(unchanged)}`,
    `unsupported: ${countsText(unsupported)}`,
    ...lostText(lostElements),
    ...elementsText('no longer there, of resources that were updated:', removedElements),
    ...warningsText(warningsByRule, warnings),
    ...issuesText(issuesByRule, issues),
    ...(totalOf(warningsByRule) + totalOf(issuesByRule) === 0 ? [] : [`all of them are in ${issueFile}`]),
  ];
  return lines.map(printable).join('\n');
};
