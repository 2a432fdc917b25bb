import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { createDatabase } from '@clinical-records/testing-postgres';
import { expect, inject, onTestFinished, test, vi } from 'vitest';
import { change, write } from './store-helpers.ts';
import { newDatabase, openPool } from './tenants/databases.ts';

test('the README makes records that can be searched, in a database, and shares a transaction', async () => {
  const database = await createDatabase(inject('postgresUrl'));
  vi.stubEnv('DATABASE_URL', database.url);
  const { pool, records } = await import('./readme.ts');
  expect(await records.goals.search({})).toMatchObject({ total: 0 });
  const { bookBloodDraw } = await import('./host/book-blood-draw.ts');
  await pool.query('create table appointments (patient_id text, time text check (time <> $$never$$))');
  await records.directory.put('Patient', { id: '7', lastName: 'Lovelace', firstName: 'Ada' });
  await records.directory.put('Practitioner', { id: '12', lastName: 'Hopper', firstName: 'Grace' });
  const by = { by: 'Practitioner/12' } as const;
  const id = await bookBloodDraw('7', '09:30', by);
  expect((await records.serviceRequests.read(id)).id).toBe(id);
  await expect(bookBloodDraw('unknown', '09:30', by)).rejects.toThrow();
  await expect(bookBloodDraw('7', 'never', by)).rejects.toThrow();
  expect(await records.serviceRequests.search({})).toMatchObject({ total: 1 });
  expect((await pool.query('select * from appointments')).rows).toHaveLength(1);
  await pool.end();
  await database.dropUnused();
  vi.unstubAllEnvs();
});

test('the SQL that the README prints makes the tables of a store, for a user of its pool', async () => {
  const program = fileURLToPath(new URL('migrations/print-migrations.ts', import.meta.url));
  const { stdout } = await promisify(execFile)(process.execPath, [program]);
  const url = await newDatabase();
  const pool = openPool(url);
  await pool.query(`create role clinic; ${stdout}`);
  onTestFinished(async () => {
    await pool.query('drop owned by clinic; drop role clinic');
  });
  const asClinic = openPool(url, { options: '-c role=clinic' });
  expect(await write(openPostgresStore({ pool: asClinic, schema: 'north_clinic' }), change())).toEqual([1]);
});
