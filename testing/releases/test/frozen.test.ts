import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openPostgresAuditStore, openPostgresStore } from '@clinical-records/store-postgres';
import { openSqliteAuditStore, openSqliteStore } from '@clinical-records/store-sqlite';
import { createDatabase, openPool } from '@clinical-records/testing-postgres';
import { describe, expect, inject, onTestFinished, test } from 'vitest';
import { describeClinic } from '../describe-clinic.ts';
import { consentedDose, dose, team } from '../fill-clinic.ts';
import { openClinic } from '../records.ts';

type Expected = { readonly head: string; readonly auditHead: string; readonly shown: object };
type Stores = Parameters<typeof openClinic>[0];

const frozen = fileURLToPath(new URL('../frozen/', import.meta.url));

const openSqlite = async (release: string): Promise<Stores> => {
  const folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  const filename = join(folder, 'clinic.db');
  copyFileSync(join(frozen, release, 'clinic.db'), filename);
  const store = openSqliteStore({ filename, backupTo: `${filename}.backup` });
  const auditStore = openSqliteAuditStore({ store });
  onTestFinished(async () => {
    await auditStore.close();
    await store.close();
    rmSync(folder, { recursive: true });
  });
  return { store, auditStore };
};

const openPostgres = async (release: string): Promise<Stores> => {
  const database = await createDatabase(inject('postgresUrl'));
  const pool = openPool(database.url);
  onTestFinished(async () => {
    await pool.end();
    await database.drop();
  });
  await pool.query(readFileSync(join(frozen, release, 'clinic.sql'), 'utf8'));
  return { store: openPostgresStore({ pool }), auditStore: openPostgresAuditStore({ pool }) };
};

const stores = { sqlite: openSqlite, postgres: openPostgres } as const;

const cases = readdirSync(frozen).flatMap((release) =>
  Object.entries(stores).map(([name, open]) => ({ release, name, open })),
);

const later = '2027-01-01T08:00:00Z';
const by = 'Practitioner/ada';

/** What a release wrote down about its own databases. */
const expectedOf = (release: string): Expected =>
  JSON.parse(readFileSync(join(frozen, release, 'expected.json'), 'utf8'));

test('each release has frozen both databases', () => {
  expect(readdirSync(frozen)).not.toEqual([]);
  for (const release of readdirSync(frozen))
    expect(readdirSync(join(frozen, release))).toEqual(['clinic.db', 'clinic.sql', 'expected.json']);
});

describe.each(cases)('the database of $release on $name', ({ release, open }) => {
  test('is sound, and shows everything that it did', async () => {
    const clinic = openClinic(await open(release), later);
    const { head, auditHead, shown } = expectedOf(release);
    await clinic.records.reindex();
    expect(await clinic.audit.verify({ head: auditHead })).toMatchObject({ discrepancies: [] });
    expect(await clinic.records.verify({ head })).toMatchObject({
      ...{ discrepancies: [], miscounted: [], undefinedTypes: {}, outdatedParameters: [] },
      ...{ isHeadMissing: false, head },
    });
    expect(await describeClinic(clinic)).toEqual(shown);
  });

  test('is used on: each kind of record is written and found, and it stays sound', async () => {
    const clinic = openClinic(await open(release), later);
    const { head, auditHead } = expectedOf(release);
    const { records, audit } = clinic;
    const { chart, corrections, goals, immunizations } = records;
    await records.reindex();

    const [staged] = (
      await chart.search([
        ['patient', 'amy'],
        ['status', 'staged'],
      ])
    ).commands.filter(({ kind }) => kind === 'goal');
    await chart.commit(staged?.id ?? '', { by });
    await chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'All of it' }, { by });
    const { total: before } = await immunizations.search({ patient: 'amy' });
    const repeated = await immunizations.create(dose, { by, idempotencyKey: 'key-of-another-dose' });
    await immunizations.create(dose, { by, idempotencyKey: 'key-of-another-dose' });
    expect(await immunizations.search({ patient: 'amy' })).toMatchObject({ total: before + 1 });
    await records.careTeams.asJson.update('amy', team('amy'), { by });
    await records.directory.put('Practitioner', { id: 'bob', lastName: 'White', firstName: 'Bob' });
    const reason = 'Asked for.';
    await corrections.erase({ resourceType: 'Immunization', resourceId: repeated.id, by, reason });
    await corrections.mergePatients({ patientId: 'ben', toPatientId: 'amy', by, reason });

    expect(await goals.read('staged')).toMatchObject({ lifecycleStatus: 'active' });
    expect((await goals.read('walk')).meta?.security).toHaveLength(1);
    expect(await records.careTeams.read('amy')).toMatchObject({ participant: { length: 3 } });
    await expect(immunizations.read(repeated.id)).rejects.toMatchObject({ tag: 'NotFound' });
    expect(await records.verify({ head })).toMatchObject({
      ...{ discrepancies: [], miscounted: [], isHeadMissing: false },
    });
    expect(await audit.verify({ head: auditHead })).toMatchObject({ discrepancies: [] });
  });

  test('knows the create of a client that sends it again', async () => {
    const { records } = openClinic(await open(release), later);
    const { head } = await records.verify();
    const { entry = [] } = await records.immunizations.search([['clinic-consent', 'true']]);
    const again = await records.immunizations.create(consentedDose, { by, idempotencyKey: 'key-of-dose' });
    expect(again).toEqual(entry[0]?.resource);
    expect(await records.verify()).toMatchObject({ head });
  });
});
