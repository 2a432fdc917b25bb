import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { answerParent } from '../child/answer-parent.ts';
import { extensionBase, patientId, patientOf } from '../data/clinic.ts';
import { openFloor } from '../data/floor-database.ts';
import { below, randomFrom } from '../data/random.ts';
import type { Rate } from '../measure/interleaved.ts';

export type ColdSearches = {
  readonly from: 'ours' | 'floor';
  readonly records: number;
  readonly searches: number;
  readonly seed: number;
};

const [ours = '', floor = ''] = process.argv.slice(2);

/** Makes the operating system forget a file that nobody has mapped: `posix_fadvise` with `POSIX_FADV_DONTNEED`. */
const dropFromCache = (file: string): void => {
  execFileSync('dd', [`of=${file}`, 'oflag=nocache', 'conv=notrunc,fdatasync', 'count=0', 'status=none']);
};

/** The bytes that this process has read from the disk. */
const countReadBytes = (): number =>
  Number(/^read_bytes: (\d+)/m.exec(readFileSync('/proc/self/io', 'utf8'))?.[1]);

const { immunizations } = createClinicalRecords({
  store: openSqliteStore({ filename: ours }),
  extensionBase,
  careTeamRoles: [],
});
const database = openFloor(floor);
// With a page of a mapped file, the system reads all that it reads ahead.
database.pragma('mmap_size = 0');
const byPatient = database.prepare('select resource from resources where patient = ? and type = ? limit 20');

const search = {
  ours: (patient: string): unknown =>
    immunizations.asJson.search(new URLSearchParams({ patient: `Patient/${patient}`, _count: '20' })),
  floor: (patient: string): unknown => byPatient.all(patient, 'Immunization'),
};

/** Searches for the immunizations of random patients, each time in a file that is not in memory. */
answerParent(async ({ from, records, searches, seed }: ColdSearches): Promise<Rate> => {
  const random = randomFrom(seed);
  const file = from === 'ours' ? ours : floor;
  const pairs = Math.floor(patientOf(records) / 2);
  const total = { time: 0, processorTime: 0, readBytes: 0 };
  for (let count = 0; count < searches; count++) {
    dropFromCache(file);
    const before = { time: performance.now(), cpu: process.cpuUsage(), readBytes: countReadBytes() };
    await search[from](patientId(2 * below(random, pairs)));
    const { user, system } = process.cpuUsage(before.cpu);
    total.time += performance.now() - before.time;
    total.processorTime += user + system;
    total.readBytes += countReadBytes() - before.readBytes;
  }
  return {
    perSecond: (searches * 1000) / total.time,
    microsecondsEach: total.processorTime / searches,
    readBytes: total.readBytes / searches,
  };
});
