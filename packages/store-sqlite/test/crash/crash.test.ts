import { expect, test, vi } from 'vitest';
import { newFile } from '../files.ts';
import { type End, type Life, live } from './life.ts';
import { createMirror } from './mirror.ts';
import { randomFrom } from './random.ts';

const isLongForm = process.env.CRASHES !== undefined;
const crashes = Number(process.env.CRASHES ?? 5);

/** The same moments each time, unless more of them are asked for. */
const seed = Number(process.env.CRASH_SEED ?? (isLongForm ? Date.now() % 2 ** 31 : 20_260_301));
const random = randomFrom(seed);
const below = (limit: number) => Math.floor(random() * limit);

vi.setConfig({ testTimeout: 60_000 + crashes * 5_000 });
/** How many processes in turn are killed on one file. */
const livesOfFile = 10;

const words = ['opening', 'answered', 'answered', 'answered', 'checkpoint', 'closing'] as const;

/** The first process on a file is killed while it makes the tables, or soon after. */
const nextEnd = (isFirst: boolean): End => {
  if (isFirst) return { word: 'opening', times: 1, delay: below(40) };
  const word = words[below(words.length)] ?? 'opening';
  return { word, times: 1 + below(word === 'answered' ? 60 : 3), delay: below(4) };
};

/** Kills so many processes on a new file, and answers what each had said. */
const killedOnOneFile = async (lives: number): Promise<readonly Life[]> => {
  const filename = newFile();
  const mirror = createMirror(filename);
  const lived: Life[] = [];
  while (lived.length < lives) {
    const life = await live(filename, { first: mirror.asked() + 1, end: nextEnd(lived.length === 0) });
    lived.push(life);
    mirror.learn(life);
    // Now and then it is the next process that finds the file as it was left.
    if (lived.length === lives || random() < 0.7) await mirror.check();
  }
  await mirror.close();
  return lived;
};

test('of what killed processes wrote, all that was answered is there, and nothing by half', async () => {
  const lived: Life[] = [];
  while (lived.length < crashes) {
    lived.push(...(await killedOnOneFile(Math.min(livesOfFile, crashes - lived.length))));
  }
  const answered = lived.reduce((sum, life) => sum + life.answered.length, 0);
  if (isLongForm) {
    const counts = Object.entries(Object.groupBy(lived, ({ last }) => last)).map(
      ([word, ended = []]) => `${ended.length} ${word}`,
    );
    console.info(`CRASHES=${crashes} CRASH_SEED=${seed}: all of ${answered} answered writes are there.`);
    console.info(`The last words before the kills: ${counts.join(', ')}`);
  }
  expect(answered).toBeGreaterThan(0);
});
