import { setTimeout } from 'node:timers/promises';

/** Returns once something is so. Between two looks, it leaves the processor to the process that it waits for. */
export const until = async (isSo: () => boolean | Promise<boolean>): Promise<void> => {
  while (!(await isSo())) await setTimeout(1);
};
