import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemo } from '../../demo/create-demo.ts';
import { careTeamRoles, extensionBase } from '../../settings.ts';
import { endAll, killWhen, newFolder } from '../running-server.ts';

afterAll(endAll);

/** How many records a file holds, and that it is sound. */
const countIn = async (filename: string): Promise<number> => {
  const store = openSqliteStore({ filename });
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const { records: count, discrepancies } = await records.verify();
  expect(discrepancies).toEqual([]);
  await store.close();
  return count;
};

/** How many records the demo clinic has. */
let whole: number;

beforeAll(async () => {
  const filename = join(await newFolder(), 'clinic.db');
  await createDemo({ _tag: 'File', filename });
  whole = await countIn(filename);
});

/** The size of what is being filled: its log, which grows with each commit. */
const sizeIn = (folder: string): number => {
  try {
    const [filling = 'none'] = readdirSync(folder).filter((name) => name.includes('.new-'));
    return statSync(join(folder, filling, 'clinic.db-wal')).size;
  } catch {
    return 0;
  }
};

test.each([1, 500_000, 1_000_000, 2_000_000])(
  'a start that is killed after %i bytes of the demo clinic leaves no file, and the next start makes all of it',
  async (size) => {
    const folder = await newFolder();
    // On a busy machine it may be made before anybody looks. Then the server says that it listens.
    const isDue = ({ out }: { readonly out: string }) => sizeIn(folder) >= size || out !== '';
    await killWhen(isDue, ['--data', 'clinic.db'], folder);
    // Each start does this first.
    const filename = join(folder, 'clinic.db');
    await createDemo({ _tag: 'File', filename });
    expect(await countIn(filename)).toBe(whole);
  },
);

test('if two processes make the demo clinic at once, it exists once, and no other file is left', async () => {
  const folder = await newFolder();
  const filename = join(folder, 'clinic.db');
  await Promise.all([createDemo({ _tag: 'File', filename }), createDemo({ _tag: 'File', filename })]);
  expect(await countIn(filename)).toBe(whole);
  expect(readdirSync(folder)).toEqual(['clinic.db']);
});

test('an existing file is not changed', async () => {
  const filename = join(await newFolder(), 'clinic.db');
  await openSqliteStore({ filename }).close();
  await createDemo({ _tag: 'File', filename });
  expect(await countIn(filename)).toBe(0);
});
