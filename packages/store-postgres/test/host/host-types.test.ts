import { createClinicalRecords } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { allergy } from '../../../../examples/conditions/allergy.ts';
import { createTenant, inTransaction, openPostgresStore } from '../../src/index.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';

const settings = { extensionBase: 'https://clinic.example/fhir/extensions', careTeamRoles: [] };
const by = 'Practitioner/ada';
const peanuts = {
  code: { text: 'Peanuts' },
  patient: { reference: 'Patient/amy' },
  criticality: 'high',
} as const;

/** Records of one server. */
const open = (url: string, tenant?: string) => {
  const pool = openPool(url, { max: 4 });
  const store = openPostgresStore({ pool, ...(tenant !== undefined && { tenant }) });
  return { pool, records: createClinicalRecords({ ...settings, store, types: [allergy] }) };
};

const openClinic = async () => {
  const url = await newDatabase();
  const clinic = open(url);
  await clinic.records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  return { url, ...clinic };
};

test('of ten writers of an allergy on two servers that expect the same version, one is written', async () => {
  const { url, records } = await openClinic();
  const { records: other } = open(url);
  const { id } = await records.allergies.create(peanuts, { by });
  const ended = await Promise.allSettled(
    Array.from({ length: 10 }, (_, index) =>
      (index % 2 === 0 ? records : other).allergies.update(
        id,
        { id, ...peanuts, note: [{ text: `${index}` }] },
        { by, ifMatch: [1] },
      ),
    ),
  );
  expect(ended.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  expect((await other.verify()).discrepancies).toEqual([]);
});

test('allergies are a part of a transaction of the host', async () => {
  const { pool, records } = await openClinic();
  const client = await pool.connect();
  const write = (fails: boolean) =>
    inTransaction(client, async (tx) => {
      await records.in(tx).allergies.create(peanuts, { by });
      if (fails) throw new Error('no');
    });
  await write(false);
  await expect(write(true)).rejects.toThrow('no');
  client.release();
  expect((await records.allergies.search({ patient: 'amy' })).total).toBe(1);
});

test('each tenant has its own allergies', async () => {
  const url = await newDatabase();
  for (const tenant of ['north', 'south']) await createTenant({ pool: openPool(url), tenant });
  const [north, south] = [open(url, 'north').records, open(url, 'south').records];
  for (const { directory } of [north, south]) await directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  await north.allergies.create(peanuts, { by });
  const totals = await Promise.all(
    [north, south].map(({ allergies }) => allergies.search({ patient: 'amy' })),
  );
  expect(totals.map(({ total }) => total)).toEqual([1, 0]);
});
