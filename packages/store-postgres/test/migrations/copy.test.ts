import { hash } from 'node:crypto';
import { createClinicalRecords } from '@clinical-records/core';
import { type ClinicalStore, orThrow } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';
import { createClinics } from '../tenants/clinics.ts';
import { newPool } from '../tenants/databases.ts';

const { open } = createClinics(await newPool({ pipeline: true }));

const createRecords = (store: ClinicalStore) =>
  createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });

const readFeed = (store: ClinicalStore) => orThrow(store.changesSince({ limit: 10_000 }));

test('what is copied from memory to PostgreSQL and back is the same, and sound', async () => {
  const [source, between, target] = [createMemoryStore(), await open(), createMemoryStore()];
  const { directory } = createRecords(source);
  for (let at = 0; at < 600; at += 1) {
    const ids = { id: `${at % 250}` };
    await directory.put('Patient', { ...ids, lastName: 'Müller', firstName: `${at} 😀` });
    await directory.put('Organization', { ...ids, name: `Clinic ${at} ' " \\ ` });
  }
  const { head } = await createRecords(source).copyTo(between);
  expect((await createRecords(between).copyTo(target)).head).toBe(head);
  for (const store of [between, target]) {
    expect(await readFeed(store)).toEqual(await readFeed(source));
    expect(await createRecords(store).verify({ head })).toEqual(await createRecords(source).verify({ head }));
  }
  expect(await createRecords(between).verify({ head })).toMatchObject({ discrepancies: [], miscounted: [] });
});

test('an order whose code no index has room for is copied, and not found by that code', async () => {
  const [source, target] = [createRecords(createMemoryStore()), await open()];
  await source.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  await source.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  const random = Array.from({ length: 40 }, (_, n) => hash('sha512', `${n}`)).join('');
  const codes = ['2093-3', random.slice(0, 500), random];
  for (const code of codes) {
    await source.chart.record(
      { kind: 'labOrder', patientId: 'amy', code: { coding: [{ system: 'http://loinc.org', code }] } },
      { by: 'Practitioner/ada' },
    );
  }
  await source.copyTo(target);
  const { serviceRequests, verify } = createRecords(target);
  const total = async (parameters: object) => (await serviceRequests.search(parameters)).total;
  expect(await total({ patient: 'amy' })).toBe(3);
  expect(await Promise.all(codes.map((code) => total({ code })))).toEqual([1, 1, 0]);
  expect(await verify()).toMatchObject({ discrepancies: [], miscounted: [] });
});
