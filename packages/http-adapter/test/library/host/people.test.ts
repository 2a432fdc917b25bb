import { type ClinicalStore, orThrow } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { findFhirIssues } from '@clinical-records/testing-profiles';
import { expect, test } from 'vitest';
import { createRecords, readFeed } from '../../clinic.ts';
import { onEveryStore } from '../../stores.ts';

const identifier = [
  {
    use: 'official',
    type: { coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code: 'MR' }] },
    system: 'https://clinic.example/records',
    value: 'SECRET-1',
    period: { start: '2001-05-06' },
    assigner: { reference: 'Organization/lab', type: 'Organization', display: 'Lab Ltd' },
  },
] as const;

const entries = {
  Patient: {
    id: 'eve',
    lastName: 'Hill',
    firstName: 'Eve',
    birthDate: '1961-08-23',
    gender: 'female',
    deceased: '2026-01-02T03:04:05.000+00:00',
    identifier,
  },
  Practitioner: { id: 'doc', lastName: 'Who', identifier },
  Organization: { id: 'ward', name: 'Ward 3', identifier },
} as const;

const { birthDate, gender } = entries.Patient;

/** The resources of the entries. */
const resources = {
  Patient: {
    resourceType: 'Patient',
    id: 'eve',
    identifier,
    name: [{ family: 'Hill', given: ['Eve'] }],
    gender,
    birthDate,
    deceasedDateTime: entries.Patient.deceased,
  },
  Practitioner: { resourceType: 'Practitioner', id: 'doc', identifier, name: [{ text: 'Who' }] },
  Organization: { resourceType: 'Organization', id: 'ward', identifier, name: 'Ward 3' },
} as const;

const types = ['Patient', 'Practitioner', 'Organization'] as const;

const exportLines = async (store: ClinicalStore): Promise<readonly object[]> => {
  const lines: object[] = [];
  for await (const { type, json } of (await createRecords(store).exporter.begin()).resources) {
    if (types.some((known) => known === type)) lines.push(JSON.parse(json));
  }
  return lines.toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
};

onEveryStore('people are distinguished by more than their names', (clinic) => {
  const putAll = async () => {
    const { directory } = clinic().records;
    await directory.put('Patient', entries.Patient);
    await directory.put('Practitioner', entries.Practitioner);
    await directory.put('Organization', entries.Organization);
  };

  test('what a host puts is kept, and read as a resource', async () => {
    await putAll();
    const { directory } = clinic().records;
    for (const type of types) {
      const { id } = entries[type];
      expect(await directory.read(type, id)).toMatchObject(entries[type]);
      const { meta: _, ...resource } = (await clinic().get(`/${type}/${id}`)).json;
      expect(resource).toEqual(resources[type]);
    }
  });

  test('the profile of US Core is named if all is there that it demands', async () => {
    const profileOf = async (type: 'Patient' | 'Practitioner' | 'Organization', entry: object) => {
      await clinic().records.directory.put(type, { ...entries[type], ...entry } as never);
      const { json } = await clinic().get(`/${type}/${entries[type].id}`);
      expect(findFhirIssues(json)).toEqual([]);
      return json.meta?.profile;
    };
    const us = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-';
    expect(await profileOf('Patient', {})).toEqual([`${us}patient`]);
    for (const missing of [
      { gender: null },
      { identifier: null },
      { gender, identifier: [...identifier, { value: '1' }] },
      { identifier, firstName: null },
    ]) {
      expect(await profileOf('Patient', { ...entries.Patient, ...missing })).toBeUndefined();
    }
    expect(await profileOf('Practitioner', { lastName: 'Who', firstName: 'Doc' })).toEqual([
      `${us}practitioner`,
    ]);
    expect(await profileOf('Practitioner', { identifier: null })).toBeUndefined();
    expect(await profileOf('Organization', {})).toBeUndefined();
  });

  test('whether a patient has died is a flag, or a time', async () => {
    const { directory } = clinic().records;
    for (const deceased of [true, false]) {
      await directory.put('Patient', { id: 'eve', lastName: 'Hill', deceased });
      expect((await clinic().get('/Patient/eve')).json).toMatchObject({ deceasedBoolean: deceased });
    }
    await directory.put('Patient', { id: 'eve', lastName: 'Hill', deceased: null });
    expect(await directory.readResource('Patient', 'eve')).toEqual({
      resourceType: 'Patient',
      id: 'eve',
      name: [{ text: 'Hill' }],
    });
  });

  test('an import takes them, and an import of the export takes the same', async () => {
    const { imported, issues } = await clinic().records.importer.load(Object.values(resources));
    expect([imported, issues]).toEqual([{ Patient: 1, Practitioner: 1, Organization: 1 }, []]);
    const lines = await exportLines(clinic().store);
    for (const type of types) expect(lines).toContainEqual(expect.objectContaining(resources[type]));
    const target = createMemoryStore();
    const report = await createRecords(target).importer.load(lines);
    expect([report.issues, report.lostElements]).toEqual([[], {}]);
    expect(await exportLines(target)).toEqual(lines);
    expect((await createRecords(target).importer.load(lines)).imported).toEqual({});
  });

  test('an import without them leaves what is there, and one with others is an issue', async () => {
    await putAll();
    const { importer, directory } = clinic().records;
    const sent = { resourceType: 'Patient', id: 'eve', name: [{ family: 'Hill', given: ['Eve'] }] };
    expect((await importer.load([sent])).issues).toEqual([]);
    expect((await importer.load([{ ...sent, deceasedBoolean: false }])).issues).toMatchObject([
      { rule: 'changed-here', message: expect.stringContaining('Patient.deceasedBoolean') },
    ]);
    expect(await directory.read('Patient', 'eve')).toMatchObject(entries.Patient);
  });

  test('they are in the care team of nobody, and a change of them makes no version of it', async () => {
    await putAll();
    const before = await clinic().get('/CareTeam/eve');
    await clinic().records.directory.put('Patient', { ...entries.Patient, gender: 'other' });
    const after = await clinic().get('/CareTeam/eve');
    expect(after.headers.etag).toBe(before.headers.etag);
    const team = await orThrow(clinic().store.read({ type: 'CareTeam', id: 'eve' }));
    expect(team?.state).not.toContain('SECRET');
  });

  test('an erasure removes them from every version, and a search does not find them', async () => {
    await putAll();
    await clinic().records.directory.put('Patient', { ...entries.Patient, birthDate: '1961-08-24' });
    await clinic().records.corrections.erase({
      ...{ resourceType: 'Patient', resourceId: 'eve' },
      ...{ by: 'Practitioner/ada', reason: 'Asked for it.' },
    });
    const ofEve = (await readFeed(clinic().store)).filter(({ patientId }) => patientId === 'eve');
    expect(ofEve.length).toBeGreaterThan(2);
    expect(JSON.stringify(ofEve)).not.toMatch(/SECRET|1961|Hill/);
    const scanned = await orThrow(clinic().store.scan({ limit: 1_000 }));
    expect(JSON.stringify(scanned.filter(({ id }) => id === 'eve'))).not.toMatch(/SECRET|hill/);
  });

  test('they are copied and verified as all else', async () => {
    await putAll();
    const target = createMemoryStore();
    await clinic().records.copyTo(target);
    expect(await readFeed(target)).toEqual(await readFeed(clinic().store));
    expect(await createRecords(target).verify()).toMatchObject({ discrepancies: [], miscounted: [] });
    expect(await clinic().records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  });

  test('a patient who was merged keeps them', async () => {
    await putAll();
    const merge = { by: 'Practitioner/ada', reason: 'Registered twice.' } as const;
    await clinic().records.corrections.mergePatients({ patientId: 'eve', toPatientId: 'amy', ...merge });
    const { deceasedDateTime } = resources.Patient;
    expect((await clinic().get('/Patient/eve')).json).toMatchObject({
      ...{ active: false, identifier, birthDate, gender, deceasedDateTime },
    });
  });
});

test('what `resolve` returns of them is kept', async () => {
  const store = createMemoryStore();
  const records = createRecords(store, {
    resolve: { Patient: (id) => ({ ...entries.Patient, id, room: 7 }) },
  });
  expect(await records.directory.read('Patient', 'zoe')).toMatchObject({ birthDate, gender, identifier });
});
