import type { Rate } from './measure/interleaved.ts';

/** One workload, and its ratio to its floor. */
export type Result = {
  readonly work: string;
  readonly records: number;
  readonly opsPerSecond: number;
  readonly floor: string;
  readonly floorOpsPerSecond: number;
  readonly ratio: number;
  /** The processor time of an operation. It depends less than its rate on what else the machine does. */
  readonly microseconds: number;
  readonly floorMicroseconds: number;
  /** The ratio to reach; null if the floor is only a reference. */
  readonly target: number | null;
  /** The server's own memory after the load, without mapped files; null if there was no server. */
  readonly anonymousMiB: number | null;
  /** The kilobytes that an operation reads from the disk; null if the file is in memory. */
  readonly readKilobytes: number | null;
};

/** A number of bytes that does not depend on the machine. */
export type Size = {
  readonly work: string;
  readonly bytes: number;
  /** The most bytes; null without a limit. */
  readonly target: number | null;
};

/** The figures of two candidates. */
export const compareRates = (
  ours: Rate | undefined,
  floor: Rate | undefined,
): Omit<Result, 'work' | 'records' | 'floor' | 'target' | 'anonymousMiB'> => {
  if (ours === undefined || floor === undefined) throw new Error('A candidate was not measured.');
  return {
    opsPerSecond: ours.perSecond,
    floorOpsPerSecond: floor.perSecond,
    ratio: ours.perSecond / floor.perSecond,
    microseconds: ours.microsecondsEach,
    floorMicroseconds: floor.microsecondsEach,
    readKilobytes: ours.readBytes === undefined ? null : Math.round(ours.readBytes / 1000),
  };
};

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

const cells = (result: Result): readonly string[] => [
  result.work,
  number.format(result.records),
  number.format(result.opsPerSecond),
  result.floor,
  number.format(result.floorOpsPerSecond),
  number.format(result.ratio),
  number.format(result.microseconds),
  number.format(result.floorMicroseconds),
  number.format(result.floorMicroseconds / result.microseconds),
  result.target === null ? '' : `>= ${number.format(result.target)}`,
  result.target === null ? '' : result.ratio >= result.target ? 'yes' : 'no',
  result.anonymousMiB === null ? '' : String(result.anonymousMiB),
  result.readKilobytes === null ? '' : String(result.readKilobytes),
];

const head = [
  'work',
  'records',
  'ops/s',
  'floor',
  'floor ops/s',
  'ratio',
  'CPU µs',
  'floor CPU µs',
  'CPU ratio',
  'target',
  'met',
  'memory, MiB',
  'read, kB',
];

/** The results as a Markdown table, aligned so that it can also be read as text. */
export const formatTable = (results: readonly Result[]): string => {
  const rows = [head, ...results.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = '', ...rest] = rows.map(line);
  return [first, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest].join('\n');
};
