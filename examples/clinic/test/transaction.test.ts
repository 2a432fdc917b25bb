import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { orThrow } from '@clinical-records/core';
import { afterEach, expect, test } from 'vitest';
import { openClinic } from '../clinic.ts';

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));

afterEach(() => rmSync(folder, { recursive: true }));

test('works that begin at once take their turns: what one undoes is nothing of another', async () => {
  const { records, inTransaction } = await openClinic(join(folder, 'clinic.db'));
  const encounter = (id: string) => ({ id, patientId: '7' });
  const failing = inTransaction(async (within) => {
    await orThrow(within.records.directory.putEncounter(encounter('one')));
    await setImmediate();
    throw new Error('thinks better of it');
  });
  const other = inTransaction((within) => orThrow(within.records.directory.putEncounter(encounter('two'))));
  await expect(failing).rejects.toThrow('thinks better');
  await other;
  expect(await orThrow(records.directory.read('Encounter', 'one'))).toBeNull();
  expect(await orThrow(records.directory.read('Encounter', 'two'))).toMatchObject({ patientId: '7' });
});
