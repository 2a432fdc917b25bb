import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { answerParent } from '../child/answer-parent.ts';
import { extensionBase, patientOf, recordId, recordsPerPatient } from '../data/clinic.ts';
import { openFloor } from '../data/floor-database.ts';
import { below, randomFrom } from '../data/random.ts';
import type { Rate } from '../measure/interleaved.ts';

export type ReadWork = {
  readonly from: 'ours' | 'floor';
  readonly records: number;
  readonly seconds: number;
  readonly seed: number;
};

const [ours = '', floor = ''] = process.argv.slice(2);

const { immunizations } = createClinicalRecords({
  store: openSqliteStore({ filename: ours }),
  extensionBase,
  careTeamRoles: [],
});
const get = openFloor(floor).prepare('select resource from resources where type = ? and id = ?').pluck();

const readers = {
  ours: async (id: string) => immunizations.asJson.read(id),
  floor: (id: string) => get.get('Immunization', id) as string,
};

const idsPerRound = 1000;

/** Reads random records as JSON text, one after the other, and returns their rate. */
answerParent(async ({ from, records, seconds, seed }: ReadWork): Promise<Rate> => {
  const random = randomFrom(seed);
  const pairs = Math.floor(patientOf(records) / 2);
  const id = () => recordId(below(random, pairs) * 2 * recordsPerPatient + below(random, recordsPerPatient));
  const read = readers[from];
  let count = 0;
  let took = 0;
  let processorTime = 0;
  while (took < seconds * 1000) {
    const ids = Array.from({ length: idsPerRound }, id);
    const began = performance.now();
    const usedBefore = process.cpuUsage();
    if (from === 'floor') for (const each of ids) read(each);
    else for (const each of ids) await read(each);
    took += performance.now() - began;
    const { user, system } = process.cpuUsage(usedBefore);
    processorTime += user + system;
    count += idsPerRound;
  }
  return { perSecond: (count * 1000) / took, microsecondsEach: processorTime / count };
});
