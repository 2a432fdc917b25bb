import { answerParent } from '../child/answer-parent.ts';
import type { Rate } from '../measure/interleaved.ts';

/** Imports a module, once, and returns the rate of such imports. */
answerParent(async (module: string): Promise<Rate> => {
  const began = performance.now();
  const usedBefore = process.cpuUsage();
  await import(module);
  const { user, system } = process.cpuUsage(usedBefore);
  return { perSecond: 1000 / (performance.now() - began), microsecondsEach: user + system };
});
