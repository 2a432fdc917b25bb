import { type Fault, sentenceOf } from '../errors.ts';

/** Where a resource stands in a load: `item` is the item that it came in, counted from 1. */
export type Source = { readonly type: string; readonly id: string; readonly item: number };

/** A resource, or a part of one, that could not be taken. What is no resource has an empty type and id. */
export type ImportProblem = Source & { readonly reason: string };

/** How many resources of each type. */
export type ImportCounts = Readonly<Record<string, number>>;

/** What became of the resources of a load. */
export type ImportReport = {
  /** New here, or changed in the directory. */
  readonly taken: ImportCounts;
  /** Here before, and left as they are. */
  readonly alreadyHere: ImportCounts;
  /** Of types for which there is no place here. */
  readonly notKept: ImportCounts;
  readonly problems: readonly ImportProblem[];
};

/** A report in the making. */
export type Tally = {
  readonly count: (column: 'taken' | 'alreadyHere' | 'notKept', type: string) => void;
  readonly faults: (source: Source, faults: readonly Fault[]) => void;
  readonly report: () => ImportReport;
  /** How many were taken so far. */
  readonly taken: () => number;
};

export const createTally = (): Tally => {
  const columns = {
    taken: new Map<string, number>(),
    alreadyHere: new Map<string, number>(),
    notKept: new Map<string, number>(),
  };
  const problems: ImportProblem[] = [];
  return {
    count: (column, type) => {
      columns[column].set(type, (columns[column].get(type) ?? 0) + 1);
    },
    faults: ({ type, id, item }, faults) => {
      for (const fault of faults) problems.push({ type, id, item, reason: sentenceOf(fault) });
    },
    report: () => ({
      taken: Object.fromEntries(columns.taken),
      alreadyHere: Object.fromEntries(columns.alreadyHere),
      notKept: Object.fromEntries(columns.notKept),
      problems,
    }),
    taken: () => [...columns.taken.values()].reduce((sum, number) => sum + number, 0),
  };
};
