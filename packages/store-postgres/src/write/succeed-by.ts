import { within } from '../within.ts';
import { msUntil } from './group-transaction.ts';

const pause = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const firstPause = 20;
const longestPause = 500;

/** Does work again and again until it succeeds, or until a time by `performance.now()`. Then it returns null. */
export const succeedBy = async <A>(end: number, work: () => Promise<A>): Promise<A | null> => {
  for (let milliseconds = firstPause; performance.now() < end; milliseconds *= 2) {
    try {
      return await within(msUntil(end), work());
    } catch {
      await pause(Math.min(milliseconds, longestPause));
    }
  }
  return null;
};
