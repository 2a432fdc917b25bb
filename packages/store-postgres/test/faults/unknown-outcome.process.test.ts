import { createClinicalRecords } from '@clinical-records/core';
import { startPostgres } from '@clinical-records/testing-postgres';
import pg from 'pg';
import { afterAll, expect, test } from 'vitest';
import { createTenant, openPostgresStore } from '../../src/index.ts';
import { wrapPool } from '../host/wrap-pool.ts';
import { sqlOf } from '../store-helpers.ts';

/** A kill leaves the files of the system as they are, synced or not. */
const server = await startPostgres({ settings: { fsync: 'off' } });
afterAll(server.stop);
const pool = new pg.Pool({ connectionString: server.url, pipeline: true });
pool.on('error', () => {});
afterAll(() => pool.end());

const commits = (text: string) => text === 'commit' || sqlOf({ text }).startsWith('with moved');

let isKilled = false;

/** A pool whose server is killed at a commit: before it is sent, or before its response arrives. */
const killed = (isSent: boolean) =>
  wrapPool(pool, async (client, query) => {
    if (isKilled || !commits(query.text)) return client.query(query);
    isKilled = true;
    if (isSent) await client.query(query);
    await server.kill();
    throw Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' });
  });

const createRecords = (store: ReturnType<typeof openPostgresStore>) =>
  createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });

const immunization = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207' }] },
  patient: { reference: 'Patient/7' },
  occurrenceDateTime: '2026-03-01',
  primarySource: false,
} as const;

test.each([
  ['after PostgreSQL has it', true],
  ['before PostgreSQL has it', false],
])(
  'a write whose server is killed %s is unknown, and its idempotency key finds it or writes it once',
  async (_, isSent) => {
    // Each is a clinic of its own, with the same ids and keys as the one before.
    const tenant = `sent-${isSent}`;
    isKilled = true;
    await createTenant({ pool, tenant });
    const store = openPostgresStore({ pool: killed(isSent), tenant, transactionTimeout: 500 });
    const { directory, immunizations, verify } = createRecords(store);
    for (const id of ['7', '8']) await directory.put('Patient', { id, lastName: 'Shaw', firstName: 'Amy' });
    // Then all terms are known, and the create that follows is one statement, which commits.
    await immunizations.create({ ...immunization, patient: { reference: 'Patient/8' } });
    const create = () =>
      immunizations.create(immunization, { by: 'Practitioner/12', idempotencyKey: 'from-the-clinic' });
    isKilled = false;
    await expect(create()).rejects.toMatchObject({
      issues: [{ rule: 'outcome-unknown' }],
      cause: {
        message:
          'The connection to PostgreSQL was lost (ECONNRESET), and it is not known whether the commit was written.',
      },
    });
    await server.restart();
    const before = await immunizations.search({ patient: '7' });
    expect(before.total).toBe(isSent ? 1 : 0);
    const created = await create();
    expect(await create()).toEqual(created);
    expect(await immunizations.search({ patient: '7' })).toMatchObject({
      total: 1,
      entry: [{ resource: { id: created.id } }],
    });
    expect(await verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  },
);
