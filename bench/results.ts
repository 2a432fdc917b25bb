/** One work, and how it compares with its floor. */
export type Result = {
  readonly work: string;
  /** How many records the clinic has. */
  readonly records: number;
  readonly opsPerSecond: number;
  readonly floor: string;
  readonly floorOpsPerSecond: number;
  readonly ratio: number;
  /** The ratio that is to be reached; null where the floor only shows how high things are. */
  readonly target: number | null;
  /** How much memory our server held after the load; null where there was no server. */
  readonly residentMiB: number | null;
};

const number = new Intl.NumberFormat('en', { maximumSignificantDigits: 4 });

const cells = (result: Result): readonly string[] => [
  result.work,
  number.format(result.records),
  number.format(result.opsPerSecond),
  result.floor,
  number.format(result.floorOpsPerSecond),
  number.format(result.ratio),
  result.target === null ? '' : `>= ${number.format(result.target)}`,
  result.target === null ? '' : result.ratio >= result.target ? 'yes' : 'no',
  result.residentMiB === null ? '' : String(result.residentMiB),
];

const head = ['work', 'records', 'ops/s', 'floor', 'floor ops/s', 'ratio', 'target', 'met', 'RSS, MiB'];

/** The results as a table of Markdown, which can be read as it is, too. */
export const formatTable = (results: readonly Result[]): string => {
  const rows = [head, ...results.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  const [first = '', ...rest] = rows.map(line);
  return [first, `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`, ...rest].join('\n');
};
