import { existsSync, readFileSync } from 'node:fs';

/** Linux counts in ticks of this many microseconds. */
const tick = 10_000;

/** The numbers in `/proc/<pid>/stat` after the name, which may have spaces. */
const statOf = (pid: string): readonly number[] => {
  const file = `/proc/${pid}/stat`;
  // A process that has ended meanwhile is among the ended ones of the first process next time.
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text
    .slice(text.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
};

/** The processor time of a process; 0 if it has ended since it was listed, because then it counts among the ended ones. */
const timeOf = (pid: string): number => {
  try {
    return sum(statOf(pid).slice(11, 13));
  } catch {
    return 0;
  }
};

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

/**
 * The processor time of a PostgreSQL server in microseconds: of its first process, of all processes that this has
 * started, and of the ended ones among them.
 */
export const readPostgresProcessorTime = (folder: string): number => {
  const [pid = ''] = readFileSync(`${folder}/postmaster.pid`, 'utf8').split('\n');
  const started = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
  const running = started.map(timeOf);
  return tick * sum([...running, ...statOf(pid).slice(11, 15)]);
};
