import { expect, test, vi } from 'vitest';
import type { DriverName } from '../../src/driver.ts';
import { newFile } from '../files.ts';
import { createMirror } from './mirror.ts';
import { randomFrom } from './random.ts';
import { type KillMoment, type ProcessLog, runUntilKilled } from './run-until-killed.ts';

const isLongForm = process.env.CRASHES !== undefined;
const crashes = Number(process.env.CRASHES ?? 5);

/** The same moments each time, unless more of them are asked for. */
const seed = Number(process.env.CRASH_SEED ?? (isLongForm ? Date.now() % 2 ** 31 : 20_260_301));
const random = randomFrom(seed);
const below = (limit: number) => Math.floor(random() * limit);

vi.setConfig({ testTimeout: 60_000 + crashes * 5_000 });
/** How many processes in turn are killed on one file. */
const runsPerFile = 10;

const events = ['opening', 'answered', 'answered', 'answered', 'checkpoint', 'closing'] as const;

/** The first process on a file is killed while it makes the tables, or soon after. */
const nextKillMoment = (isFirst: boolean): KillMoment => {
  if (isFirst) return { event: 'opening', times: 1, delay: below(40) };
  const event = events[below(events.length)] ?? 'opening';
  return { event, times: 1 + below(event === 'answered' ? 60 : 3), delay: below(4) };
};

/** Kills so many processes on a new file, and returns the output of each. */
const killRepeatedly = async (driver: DriverName, lives: number): Promise<readonly ProcessLog[]> => {
  const filename = newFile();
  const mirror = createMirror(filename);
  const lived: ProcessLog[] = [];
  while (lived.length < lives) {
    const life = await runUntilKilled(filename, {
      driver,
      first: mirror.begun() + 1,
      end: nextKillMoment(lived.length === 0),
    });
    lived.push(life);
    mirror.learn(life);
    // Now and then it is the next process that finds the file as it was left.
    if (lived.length === lives || random() < 0.7) await mirror.check();
  }
  await mirror.close();
  return lived;
};

test.each(['better-sqlite3', 'node:sqlite'] as const)(
  'every write that killed processes reported as done is in the file of %s, and nothing by half',
  async (driver) => {
    const lived: ProcessLog[] = [];
    while (lived.length < crashes) {
      lived.push(...(await killRepeatedly(driver, Math.min(runsPerFile, crashes - lived.length))));
    }
    const answered = lived.reduce((sum, life) => sum + life.results.length, 0);
    if (isLongForm) {
      const counts = Object.entries(Object.groupBy(lived, ({ lastEvent }) => lastEvent)).map(
        ([word, ended = []]) => `${ended.length} ${word}`,
      );
      console.info(`CRASHES=${crashes} CRASH_SEED=${seed}: all of ${answered} answered writes are there.`);
      console.info(`The last words before the kills: ${counts.join(', ')}`);
    }
    expect(answered).toBeGreaterThan(0);
  },
);
