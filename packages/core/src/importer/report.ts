import { type Fault, sentenceOf } from '../errors.ts';

/** Where a resource stands in a load: `item` is the item that it came in, counted from 1. */
export type Source = { readonly type: string; readonly id: string; readonly item: number };

/** A resource, or a part of one, that could not be taken. What is no resource has an empty type and id. */
export type ImportProblem = Source & {
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
  readonly problemsByRule: ImportCounts;
  /** The first problems, a thousand at most. `onProblem` gets each of them. */
  readonly problems: readonly ImportProblem[];
};

/** How many problems a report holds: what is read by people, and fits into memory. */
const mostProblems = 1_000;

const increase = (counts: Map<string, number>, name: string): void => {
  counts.set(name, (counts.get(name) ?? 0) + 1);
};

/** A report in the making. */
export type Tally = {
  readonly count: (column: 'taken' | 'alreadyHere' | 'notKept', type: string) => void;
  readonly faults: (source: Source, faults: readonly Fault[]) => void;
  readonly report: () => ImportReport;
  /** How many were taken so far. */
  readonly taken: () => number;
};

export const createTally = (onProblem: (problem: ImportProblem) => void): Tally => {
  const columns = {
    taken: new Map<string, number>(),
    alreadyHere: new Map<string, number>(),
    notKept: new Map<string, number>(),
  };
  const byRule = new Map<string, number>();
  const problems: ImportProblem[] = [];
  return {
    count: (column, type) => increase(columns[column], type),
    faults: ({ type, id, item }, faults) => {
      for (const fault of faults) {
        const { rule, expression } = fault;
        const reason = sentenceOf(fault);
        const problem = { type, id, item, rule, ...(expression !== undefined && { expression }), reason };
        increase(byRule, rule);
        if (problems.length < mostProblems) problems.push(problem);
        onProblem(problem);
      }
    },
    report: () => ({
      taken: Object.fromEntries(columns.taken),
      alreadyHere: Object.fromEntries(columns.alreadyHere),
      notKept: Object.fromEntries(columns.notKept),
      problemsByRule: Object.fromEntries(byRule),
      problems,
    }),
    taken: () => [...columns.taken.values()].reduce((sum, number) => sum + number, 0),
  };
};
