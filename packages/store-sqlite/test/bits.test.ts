import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { ClinicalRecords } from '@clinical-records/core';
import { resourceTypes } from '@clinical-records/core/adapter';
import { type ClinicalStore, orThrow } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { fillClinicFile, isSound, openRecords } from './clinic-file.ts';
import { randomFrom } from './crash/random.ts';
import { newFile } from './files.ts';

const everything = { limit: 10_000 };

type Opened = { readonly store: ClinicalStore; readonly records: ClinicalRecords };

/** The content of a store, as one text. */
const answersOf = async ({ store }: Opened): Promise<string> => {
  const searches = resourceTypes.map((type) =>
    store.search({ type, conditions: [], start: { offset: 0 }, count: 100, withTotal: true }),
  );
  const feed = store.changesSince(everything);
  const scan = store.scan(everything);
  return JSON.stringify(
    await Promise.all([feed, scan, ...searches].map((called) => orThrow<unknown>(called))),
  );
};

/** The content of a file with these bytes; null if it cannot be opened or read. */
const answeredOf = async (filename: string, bytes: Buffer): Promise<string | null> => {
  for (const log of ['-wal', '-shm']) rmSync(filename + log, { force: true });
  writeFileSync(filename, bytes);
  let opened: Opened | undefined;
  try {
    opened = openRecords({ filename });
    return await answersOf(opened);
  } catch {
    return null;
  } finally {
    await opened?.store.close();
  }
};

test('a file with a single flipped bit returns the same as before, or nothing, or is not sound', async () => {
  const filename = newFile();
  const { head } = await fillClinicFile(filename);
  const bytes = readFileSync(filename);
  const truth = await answeredOf(filename, bytes);
  const random = randomFrom(20);
  let changed = 0;
  for (let times = 0; times < 60; times++) {
    const flipped = Buffer.from(bytes);
    const at = Math.floor(random() * bytes.length);
    flipped[at] = (flipped[at] as number) ^ (1 << Math.floor(random() * 8));
    const answers = await answeredOf(filename, flipped);
    if (answers === null || answers === truth) continue;
    changed += 1;
    writeFileSync(filename, flipped);
    expect(await isSound(filename, head).catch(() => false), `byte ${at}`).toBe(false);
  }
  expect(changed).toBeGreaterThan(0);
});
