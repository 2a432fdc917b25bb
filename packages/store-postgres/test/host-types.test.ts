import { createClinicalRecords } from '@clinical-records/core';
import { retired } from '@clinical-records/core/define-resource';
import { expect, test } from 'vitest';
import { allergy } from '../../../examples/conditions/allergy.ts';
import { condition } from '../../../examples/conditions/condition.ts';
import { createTenant, inTransaction, openPostgresStore } from '../src/index.ts';
import { newDatabase, openPool } from './databases.ts';

const settings = { extensionBase: 'https://clinic.example/fhir/extensions', careTeamRoles: [] };
const by = 'Practitioner/ada';
const peanuts = {
  code: { text: 'Peanuts' },
  patient: { reference: 'Patient/amy' },
  criticality: 'high',
} as const;

const sourceCondition = (id: string, patientId: string) => ({
  ...{
    resourceType: 'Condition',
    id,
    category: [{ text: 'Problem' }],
    subject: { reference: `Patient/${patientId}` },
  },
  ...{ clinicalStatus: { coding: [{ code: 'active' }] }, code: { coding: [{ code: '38341003' }] } },
});

/** Records of one server, on a database with two patients. */
const open = (url: string, tenant?: string) => {
  const pool = openPool(url, { max: 4 });
  const store = openPostgresStore({ pool, ...(tenant !== undefined && { tenant }) });
  return { pool, store, records: createClinicalRecords({ ...settings, store, types: [condition, allergy] }) };
};

const openClinic = async () => {
  const url = await newDatabase();
  const clinic = open(url);
  for (const id of ['amy', 'ben']) await clinic.records.directory.put('Patient', { id, lastName: 'Shaw' });
  return { url, ...clinic };
};

test('types of the host are written, searched, imported, merged and verified', async () => {
  const { records } = await openClinic();
  const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];
  const options = { by, idempotencyKey: 'a-key', ifNoneExist: 'identifier=urn:oid:1.2.3|A-1' } as const;
  const { id } = await records.allergies.create({ ...peanuts, identifier }, options);
  expect((await records.allergies.create({ ...peanuts, identifier }, options)).id).toBe(id);
  await records.allergies.update(id, { id, ...peanuts, criticality: 'low' }, { by, ifMatch: [1] });
  await expect(records.allergies.update(id, { id, ...peanuts }, { ifMatch: [1] })).rejects.toMatchObject({
    tag: 'PreconditionFailed',
  });
  const { imported } = await records.importer.load([
    sourceCondition('a', 'amy'),
    sourceCondition('b', 'ben'),
  ]);
  expect(imported).toEqual({ Condition: 2 });
  for (const [parameters, total] of [
    [{ patient: 'amy', criticality: 'low' }, 1],
    [{ 'criticality:not': 'low' }, 0],
    [{ 'manifestation:missing': true, identifier: 'A-1' }, 1],
    [{ _sort: '-_lastUpdated', _count: 1 }, 1],
  ] as const)
    expect([parameters, (await records.allergies.search(parameters)).total]).toEqual([parameters, total]);
  await records.corrections.mergePatients({
    patientId: 'amy',
    toPatientId: 'ben',
    by,
    reason: 'Registered twice.',
  });
  expect((await records.conditions.search({ patient: 'ben', code: '38341003' })).total).toBe(2);
  expect((await records.allergies.history(id)).map(({ version }) => version)).toEqual([3, 2, 1]);
  expect(await records.verify()).toMatchObject({ discrepancies: [], miscounted: [], undefinedTypes: {} });
});

test('of ten writers on two servers that expect the same version, one is written', async () => {
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

test('they are a part of a transaction of the host', async () => {
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

test('one that is taken out is named, and carried once it is retired', async () => {
  const { store, records } = await openClinic();
  await records.importer.load([sourceCondition('a', 'amy')]);
  const without = createClinicalRecords({ ...settings, store });
  expect(await without.undefinedTypes()).toEqual(['Condition']);
  const merge = { patientId: 'amy', toPatientId: 'ben', by, reason: 'Registered twice.' } as const;
  await expect(without.corrections.mergePatients(merge)).rejects.toMatchObject({
    issues: [{ rule: 'undefined-type' }],
  });
  const carried = createClinicalRecords({ ...settings, store, types: [retired('Condition')] });
  await carried.corrections.mergePatients(merge);
  expect(await carried.verify()).toMatchObject({ discrepancies: [], undefinedTypes: {} });
  expect((await records.conditions.search({ patient: 'ben', code: '38341003' })).total).toBe(1);
});

test('each tenant has its own', async () => {
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
