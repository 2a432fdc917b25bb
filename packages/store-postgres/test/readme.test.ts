import { createDatabase } from '@clinical-records/testing-postgres';
import { expect, inject, test, vi } from 'vitest';

test('the README makes records that can be searched, in a database', async () => {
  const database = await createDatabase(inject('postgresUrl'));
  vi.stubEnv('DATABASE_URL', database.url);
  const { pool, records } = await import('./readme.ts');
  expect(await records.goals.search({})).toMatchObject({ total: 0 });
  await pool.end();
  await database.drop();
  vi.unstubAllEnvs();
});
