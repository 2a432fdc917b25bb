import { deepStrictEqual } from 'node:assert';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { openPostgresAuditStore, openPostgresStore } from '@clinical-records/store-postgres';
import { openSqliteAuditStore, openSqliteStore } from '@clinical-records/store-sqlite';
import { createDatabase, openPool, startPostgres } from '@clinical-records/testing-postgres';
import { describeClinic } from './describe-clinic.ts';
import { fillClinic } from './fill-clinic.ts';
import { dumpPostgres } from './postgres-dump.ts';
import { type Clinic, openClinic } from './records.ts';

// Writes the databases of this version into `frozen/<version>`. Those of a release stay as they are. Before the first release, the
// version is 0.0.0, and is frozen again whenever the tables change.

const { version } = JSON.parse(
  readFileSync(new URL('../../packages/core/package.json', import.meta.url), 'utf8'),
) as { readonly version: string };
const unreleased = '0.0.0';
const folder = new URL(`frozen/${version}/`, import.meta.url);

const fill = async (stores: Parameters<typeof openClinic>[0]) => {
  const clinic: Clinic = openClinic(stores, '2026-03-01T08:00:00Z');
  await fillClinic(clinic);
  const { head } = await clinic.records.verify();
  const { head: auditHead } = await clinic.audit.verify();
  return { head, auditHead, shown: await describeClinic(openClinic(stores, '2026-04-01T08:00:00Z')) };
};

const freezeSqlite = async () => {
  const store = openSqliteStore({ filename: new URL('clinic.db', folder).pathname });
  const auditStore = openSqliteAuditStore({ store });
  const expected = await fill({ store, auditStore });
  await auditStore.close();
  await store.close();
  return expected;
};

const freezePostgres = async () => {
  const server = await startPostgres();
  const pool = openPool((await createDatabase(server.url)).url);
  const expected = await fill({
    store: openPostgresStore({ pool }),
    auditStore: openPostgresAuditStore({ pool }),
  });
  writeFileSync(new URL('clinic.sql', folder), await dumpPostgres(pool));
  await pool.end();
  await server.stop();
  return expected;
};

rmSync(new URL(`frozen/${unreleased}/`, import.meta.url), { recursive: true, force: true });
mkdirSync(new URL('frozen/', import.meta.url), { recursive: true });
mkdirSync(folder);
const expected = await freezeSqlite();
deepStrictEqual(await freezePostgres(), expected);
writeFileSync(new URL('expected.json', folder), `${JSON.stringify(expected, null, 2)}\n`);
