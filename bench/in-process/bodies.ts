import { readJson } from '@clinical-records/core/adapter';
import { answerParent } from '../child/answer-parent.ts';
import { immunizationBody } from '../data/clinic.ts';
import type { Rate } from '../measure/interleaved.ts';

export type BodyWork = { readonly by: 'ours' | 'floor'; readonly seconds: number };

const texts = Array.from({ length: 1000 }, (_, at) => JSON.stringify(immunizationBody(at, 'its encounter')));

const readers = { ours: (text: string) => readJson(text).issues, floor: (text: string) => JSON.parse(text) };

/** Reads the bodies of creates, one after the other, and returns their rate. */
answerParent(({ by, seconds }: BodyWork): Rate => {
  const read = readers[by];
  const began = performance.now();
  const usedBefore = process.cpuUsage();
  let count = 0;
  for (; performance.now() - began < seconds * 1000; count += texts.length)
    for (const text of texts) read(text);
  const { user, system } = process.cpuUsage(usedBefore);
  return {
    perSecond: (count * 1000) / (performance.now() - began),
    microsecondsEach: (user + system) / count,
  };
});
