import { execFile } from 'node:child_process';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { createClinicalRecords } from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import {
  createDatabase,
  findDebianBinaries,
  openPool,
  startPostgres,
} from '@clinical-records/testing-postgres';
import { afterAll, expect, test } from 'vitest';
import { createDemo } from '../../demo/create-demo.ts';
import { careTeamRoles, extensionBase } from '../../settings.ts';
import { runHere } from '../run-here.ts';
import { endAll, newFolder } from '../running-server.ts';

afterAll(endAll);

const schema = 'north';

const verify = (url: string, ...args: readonly string[]) =>
  runHere('--database', url, '--schema', schema, '--verify', ...args);

const headOf = ({ out }: { readonly out: string }): string => /^head: (.*)$/m.exec(out)?.[1] ?? '';

/** Writes one more version. */
const putLater = async (url: string): Promise<void> => {
  const pool = openPool(url);
  const store = openPostgresStore({ pool, schema });
  const { directory } = createClinicalRecords({ store, extensionBase, careTeamRoles });
  await directory.put('Organization', { id: 'late', name: 'Late' });
  await store.close();
  await pool.end();
};

const binaries = findDebianBinaries(15);

// The programs of PostgreSQL that npm installs have no pg_dump.
test.skipIf(binaries === null)(
  'a schema that pg_restore has restored is sound, and --verify notices that it lacks later versions',
  async () => {
    if (binaries === null) return;
    const run = (program: string, ...args: readonly string[]) =>
      promisify(execFile)(join(dirname(binaries.postgres), program), args);
    const server = await startPostgres({ binaries, settings: { fsync: 'off' } });
    try {
      const [source, copy] = [await createDatabase(server.url), await createDatabase(server.url)];
      await createDemo({ _tag: 'Database', url: source.url, schema });
      const dumped = await verify(source.url);
      const file = join(await newFolder(), 'north.dump');
      await run('pg_dump', '-n', schema, '-Fc', '-f', file, source.url);
      await putLater(source.url);
      await run('pg_restore', '-d', copy.url, file);

      const restored = await verify(copy.url, '--head', headOf(dumped));
      expect([restored.code, headOf(restored)]).toEqual([0, headOf(dumped)]);
      const missing = await verify(copy.url, '--head', headOf(await verify(source.url)));
      expect(missing.out).toContain('the head that was given is not in the data');
      expect(missing.code).toBe(3);
    } finally {
      await server.stop();
    }
  },
);
