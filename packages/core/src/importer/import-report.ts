import { formatIssue, type Issue } from '../errors.ts';

/** Where a resource stands in a load: `item` is the item that it came in, counted from 1. */
export type SourceLocation = { readonly type: string; readonly id: string; readonly item: number };

/** A resource, or a part of one, that could not be taken. What is no resource has an empty type and id. */
export type ImportIssue = SourceLocation & {
  /** The name of the rule, for programs. */
  readonly rule: string;
  /** The element in FHIRPath, where the rule is about one. */
  readonly expression?: string;
  /** Both in a sentence, for people. */
  readonly reason: string;
};

/** How many resources of each type, or problems of each rule. */
export type ImportCounts = Readonly<Record<string, number>>;

/** What became of the resources of a load. */
export type ImportReport = {
  /** New here, or changed in the directory. */
  readonly taken: ImportCounts;
  /** Here before, and left as they are. */
  readonly alreadyHere: ImportCounts;
  /** Of types for which there is no place here. */
  readonly notKept: ImportCounts;
  /** How many problems there were of each rule. */
  readonly issuesByRule: ImportCounts;
  /** The first problems, a thousand at most. `onProblem` gets each of them. */
  readonly issues: readonly ImportIssue[];
};

/** How many problems a report holds: what is read by people, and fits into memory. */
const maxReportedIssues = 1_000;

const increase = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** A report in the making. */
export type ReportBuilder = {
  readonly count: (column: 'taken' | 'alreadyHere' | 'notKept', type: string) => void;
  readonly addIssues: (source: SourceLocation, issues: readonly Issue[]) => void;
  readonly report: () => ImportReport;
  /** How many were taken so far. */
  readonly countImported: () => number;
};

export const createReportBuilder = (onIssue: (importIssue: ImportIssue) => void): ReportBuilder => {
  const columns = {
    taken: new Map<string, number>(),
    alreadyHere: new Map<string, number>(),
    notKept: new Map<string, number>(),
  };
  const byRule = new Map<string, number>();
  const reported: ImportIssue[] = [];
  return {
    count: (column, type) => increase(columns[column], type),
    addIssues: ({ type, id, item }, issues) => {
      for (const issue of issues) {
        const { rule, expression } = issue;
        const reason = formatIssue(issue);
        const importIssue = { type, id, item, rule, ...(expression !== undefined && { expression }), reason };
        increase(byRule, rule);
        if (reported.length < maxReportedIssues) reported.push(importIssue);
        onIssue(importIssue);
      }
    },
    report: () => ({
      taken: Object.fromEntries(columns.taken),
      alreadyHere: Object.fromEntries(columns.alreadyHere),
      notKept: Object.fromEntries(columns.notKept),
      issuesByRule: Object.fromEntries(byRule),
      issues: reported,
    }),
    countImported: () => [...columns.taken.values()].reduce((sum, number) => sum + number, 0),
  };
};
