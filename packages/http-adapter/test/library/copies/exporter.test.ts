import type { ClinicalRecords, ExportOptions, ExportProgress } from '@clinical-records/core';
import type { ExportedResource } from '@clinical-records/core/adapter';
import { directoryResourceTypes, resourceTypes } from '@clinical-records/core/adapter';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import {
  ada,
  bob,
  goal,
  immunize,
  lab,
  labOrder,
  oneCommandOfEach,
  statement,
  team,
} from '../../builders.ts';
import { type Clinic, createRecords, extensionBase, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore, testsAll } from '../../stores.ts';
import {
  hasSentDigits,
  importableResources,
  importableTypes,
  textOf,
  withNumber,
} from '../importer/arbitrary-resources.ts';

const why = { by: 'Practitioner/cyd', reason: 'Wrong chart.' } as const;

const collect = async (resources: AsyncIterable<ExportedResource>): Promise<readonly ExportedResource[]> => {
  const collected: ExportedResource[] = [];
  for await (const resource of resources) collected.push(resource);
  return collected;
};

const exportAll = async (
  records: ClinicalRecords,
  options: ExportOptions = {},
): Promise<readonly ExportedResource[]> => collect((await records.exporter.begin(options)).resources);

const namesOf = (resources: readonly ExportedResource[]): readonly string[] =>
  resources.map(({ type, id }) => `${type}/${id}`).toSorted();

const linesOf = (resources: readonly ExportedResource[]): readonly string[] =>
  resources.map(({ json }) => json);

/** Resources in every state, in two charts, and drafts that are not resources yet. */
const fill = async ({ record, stage, completeOrder, enterInError, records }: Clinic): Promise<void> => {
  for (const command of oneCommandOfEach({ id: 'x' })) await record(command);
  await record(labOrder({ id: 'done' }));
  await completeOrder('ServiceRequest/done/0');
  await record(goal({ id: 'wrong' }));
  await enterInError('Goal/wrong/0');
  await stage(labOrder({ id: 'draft' }));
  await stage(goal({ id: 'staged' }));
  await record(immunize({ id: 'dose', patientId: 'ben', noteId: 'note-ben' }));
  await records.immunizations.create(statement());
  await records.careTeams.update('amy', team(ada, bob, lab));
  await records.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'inactive');
};

/** Everything that the interface shows of the charts and the directory, without what each store counts by itself. */
const readEverything = async (records: ClinicalRecords) => {
  const withoutMeta = ({ meta: _, ...resource }: { readonly meta?: unknown }): object => resource;
  const reads = [records.serviceRequests, records.goals, records.careTeams, records.immunizations] as const;
  const found: object[] = [];
  for (const { all } of reads) for await (const resource of all()) found.push(withoutMeta(resource));
  const entries = await exportAll(records, { types: directoryResourceTypes });
  return [...found, ...linesOf(entries).toSorted()];
};

/** The elements that the library derives itself. An import counts them as lost, and they are the same afterwards. */
const derivedElements =
  /^(?:\w+\.meta(?:\.(?:versionId|lastUpdated|profile))?|CareTeam\.(?:id|name)|Encounter\.(?:status|class))$/;

/** The records and the report after an import into a store. */
const importInto = async (store: ClinicalStore, resources: readonly ExportedResource[]) => {
  const records = createRecords(store);
  const report = await records.importer.load(linesOf(resources), { createNotes: true });
  return { records, report };
};

onEveryStore('records.exporter', (clinic) => {
  test('exports each resource as it is read, and the patients, practitioners, organizations and encounters', async () => {
    await fill(clinic());
    const { records } = clinic();
    const exported = await exportAll(records);
    const texts = new Map(exported.map(({ type, id, json }) => [`${type}/${id}`, json]));
    const reads = {
      ServiceRequest: records.serviceRequests,
      Goal: records.goals,
      CareTeam: records.careTeams,
      Immunization: records.immunizations,
    };
    for (const [type, { asJson }] of Object.entries(reads)) {
      for await (const json of asJson.all()) {
        const { id } = JSON.parse(json);
        if (id === 'ben' && type === 'CareTeam') continue;
        expect(texts.get(`${type}/${id}`)).toBe(json);
        expect(texts.get(`${type}/${id}`)).toBe((await asJson.read(id)).json);
      }
    }
    const entries = ['amy', 'ben'].map((id) => `Patient/${id}`);
    expect(namesOf(exported)).toEqual(
      [
        ...entries,
        ...['ada', 'bob', 'cyd', 'dan'].map((id) => `Practitioner/${id}`),
        ...['lab', 'home'].map((id) => `Organization/${id}`),
        ...['visit-amy', 'visit-ben'].map((id) => `Encounter/${id}`),
        ...['CareTeam/amy', 'CareTeam/amy.inactive', 'Goal/wrong', 'Goal/x', 'Immunization/dose'],
        ...exported
          .filter(({ type, id }) => type === 'Immunization' && id !== 'dose')
          .map(({ id }) => `Immunization/${id}`),
        ...exported.filter(({ type }) => type === 'ServiceRequest').map(({ id }) => `ServiceRequest/${id}`),
      ].toSorted(),
    );
    expect(texts.get('Patient/amy')).toMatch(/^{"resourceType":"Patient","id":"amy","meta":{"lastUpdated":"/);
  });

  test('shows one moment, whatever others write while it is read', async () => {
    await fill(clinic());
    const { records, record, commit, enterInError } = clinic();
    const options = { provenanceOf: resourceTypes };
    const before = await exportAll(records, options);
    const { resources } = await records.exporter.begin(options);
    await records.directory.put('Patient', { id: 'amy', lastName: 'Stone', firstName: 'Amy' });
    await records.directory.put('Practitioner', { id: 'eve', lastName: 'Hill', firstName: 'Eve' });
    await records.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'inactive');
    await commit('Goal/staged/0');
    await enterInError('Immunization/dose/0');
    await record(goal({ id: 'new' }));
    await records.corrections.moveToPatient({
      resourceType: 'Goal',
      resourceId: 'x',
      toPatientId: 'ben',
      ...why,
    });
    await records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
    expect(await collect(resources)).toEqual(before);
    expect(await exportAll(records, options)).not.toEqual(before);
  });

  test('an import into an empty store gives the same reads, without an issue', async () => {
    await fill(clinic());
    const exported = await exportAll(clinic().records);
    const { records, report } = await importInto(createMemoryStore(), exported);
    expect(report.issues).toEqual([]);
    expect(await readEverything(records)).toEqual(await readEverything(clinic().records));
  });

  test('an import keeps why a resource was entered in error; a blank reason, and that of an active order, are lost elements', async () => {
    const { chart } = clinic().records;
    for (const command of oneCommandOfEach({ id: 'x' })) {
      const { id } = await clinic().record(command);
      await chart.enterInError(id, { by: 'Practitioner/bob', reason: `Wrong: ${command.kind}.` });
    }
    await clinic().stage(labOrder({ id: 'draft' }));
    await chart.discard('ServiceRequest/draft/0', { by: 'Practitioner/bob', reason: 'Not needed.' });
    const exported = await exportAll(clinic().records);
    const { records, report } = await importInto(createMemoryStore(), exported);
    expect(Object.keys(report.lostElements).filter((name) => !derivedElements.test(name))).toEqual([]);
    expect(await readEverything(records)).toEqual(await readEverything(clinic().records));
    expect((await records.serviceRequests.read('draft'))._status).toEqual({
      extension: [{ url: `${extensionBase}/status-reason`, valueString: 'Not needed.' }],
    });

    const { _status } = await records.serviceRequests.read('x');
    const blank = { extension: [{ url: `${extensionBase}/status-reason`, valueString: ' ' }] };
    const order = await records.serviceRequests.read('draft');
    const sent = [
      { ...order, id: 'active', status: 'active', _status },
      { ...order, id: 'blank', _status: blank },
    ];
    expect((await records.importer.load(sent)).lostElements['ServiceRequest._status']).toBe(2);
    expect((await records.serviceRequests.read('active'))._status).toBe(undefined);
    expect((await records.serviceRequests.read('blank'))._status).toBe(undefined);
  });
});

test('imported resources with any elements are the same after an export and an import, and another import changes nothing', async () => {
  const { records, feed } = await openClinic(createMemoryStore());
  const ofEachType = testsAll ? 40 : 10;
  const generated = importableTypes.flatMap((type) =>
    fc.sample(importableResources(type), { numRuns: ofEachType, seed: 11 }).map((resource, at) => ({
      ...withNumber(resource, at),
      ...(type === 'CareTeam' && { subject: { reference: `Patient/r${at}` } }),
    })),
  );
  const report = await records.importer.load(generated.map(textOf));
  expect(report.issues).toEqual([]);
  expect(report.imported).toEqual(Object.fromEntries(importableTypes.map((type) => [type, ofEachType])));
  const exported = await exportAll(records);
  const copy = await importInto(createMemoryStore(), exported);
  expect(copy.report.issues).toEqual([]);
  expect(Object.keys(copy.report.lostElements).filter((name) => !derivedElements.test(name))).toEqual([]);
  // One that refers to somebody unknown is imported after the others.
  const sorted = async (some: ClinicalRecords) =>
    (await readEverything(some)).toSorted((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  expect(await sorted(copy.records)).toEqual(await sorted(records));
  const exportedAgain = await exportAll(copy.records);
  for (const lines of [linesOf(exported), linesOf(exportedAgain)]) {
    expect(lines.join()).toContain('12.250');
    expect(lines.join()).toSatisfy(hasSentDigits);
  }

  const before = await feed();
  const again = await records.importer.load(linesOf(exported), { createNotes: true });
  expect([again.imported, again.issues]).toEqual([{}, []]);
  expect(await feed()).toEqual(before);
});

describe('an export of more records than are read at a time', () => {
  const openLarge = async (store = createMemoryStore(), length = 501) => {
    const records = createRecords(store);
    const organizations = Array.from({ length }, (_, at) => ({
      resourceType: 'Organization',
      id: `o${at}`,
      name: `Number ${at}`,
    }));
    await records.importer.load(organizations);
    return records;
  };

  test('begins without reading the feed', async () => {
    const store = createMemoryStore();
    let reads = 0;
    const changesSince: typeof store.changesSince = (range) => {
      reads += 1;
      return store.changesSince(range);
    };
    const records = await openLarge({ ...store, changesSince });
    await records.exporter.begin();
    expect(reads).toBe(0);
  });

  test('has everything, reports its progress, and shows nothing that is written meanwhile', async () => {
    const records = await openLarge(createMemoryStore(), 1200);
    const progress: ExportProgress[] = [];
    const { resources } = await records.exporter.begin({ onProgress: (reached) => progress.push(reached) });
    const exported: ExportedResource[] = [];
    for await (const resource of resources) {
      if (exported.length % 300 === 0) {
        await records.directory.put('Organization', { id: 'o1199', name: `Changed ${exported.length}` });
        await records.directory.put('Organization', { id: `new-${exported.length}`, name: 'New' });
      }
      exported.push(resource);
    }
    expect(exported.map(({ json }) => JSON.parse(json).name)).toEqual(
      Array.from({ length: 1200 }, (_, at) => `Number ${at}`),
    );
    expect(progress.map(({ records: read }) => read)).toEqual([500, 1000, 1200]);
    expect(progress.at(-1)?.exported).toBe(1200);
  });

  test('ends with the error that onProgress throws, and with the failure of the store', async () => {
    const store = createMemoryStore();
    let isAway = false;
    const away = E.left({ _tag: 'Unavailable', message: 'away', cause: null } as const);
    const records = await openLarge({ ...store, scan: async (range) => (isAway ? away : store.scan(range)) });
    const stop = () => {
      throw new Error('stopped');
    };
    await expect(exportAll(records, { onProgress: stop })).rejects.toThrow('stopped');
    isAway = true;
    await expect(exportAll(records)).rejects.toMatchObject({ tag: 'StoreFailure' });
  });
});

describe('the options of an export', () => {
  const openFilled = async () => {
    const clinic = await openClinic(createMemoryStore());
    await fill(clinic);
    return clinic;
  };

  test('types: only these', async () => {
    const { records } = await openFilled();
    const exported = await exportAll(records, { types: ['Goal', 'Patient'] });
    expect(namesOf(exported)).toEqual(['Goal/wrong', 'Goal/x', 'Patient/amy', 'Patient/ben']);
  });

  test.each([
    ['types', ['Goal', 'Gaol'], 'value'],
    ['types', 'Goal', 'type'],
    ['provenanceOf', ['Patient'], 'value'],
    ['membersOf', ['Gaol'], 'value'],
    ['matching', { Gaol: [] }, 'value'],
    ['patientIds', 'amy', 'type'],
  ])('%s: %j is refused, because it would export nothing in silence', async (option, value, rule) => {
    const { records } = await openFilled();
    const begun = outcomeOf(records.exporter.begin({ [option]: value } as never));
    expect(await begun).toMatchObject({
      left: { _tag: 'InvalidRequest', issues: [{ rule, expression: option }] },
    });
  });

  test('provenanceOf: the Provenance of each version, as it is read', async () => {
    const { records, enterInError, clock } = await openFilled();
    const options: ExportOptions = { types: [], provenanceOf: ['Goal'] };
    const exported = await exportAll(records, options);
    expect(namesOf(exported)).toEqual(['Provenance/G-wrong-1', 'Provenance/G-wrong-2', 'Provenance/G-x-1']);
    for (const { id, json, patientId } of exported) {
      expect([json, patientId]).toEqual([(await records.provenance.asJson.read(id)).json, 'amy']);
    }
    clock.at('2026-05-01T08:00:00Z');
    await enterInError('Goal/x/0');
    const since = new Date('2026-05-01T08:00:00Z');
    expect(namesOf(await exportAll(records, { ...options, since }))).toEqual(['Provenance/G-x-2']);
  });

  test('patientIds: the charts of these, and the practitioners and organizations that the charts name', async () => {
    const { records } = await openFilled();
    expect(namesOf(await exportAll(records, { patientIds: ['ben'] }))).toEqual([
      ...['Encounter/visit-ben', 'Immunization/dose', 'Patient/ben'],
    ]);
    const ofAmy = await exportAll(records, { patientIds: ['amy'] });
    expect(new Set(ofAmy.map(({ patientId }) => patientId))).toEqual(new Set(['amy', null]));
    expect(namesOf(ofAmy.filter(({ patientId }) => patientId === null))).toEqual([
      ...['Organization/lab', 'Practitioner/ada', 'Practitioner/bob'],
    ]);
    const types = ['Patient', 'Organization'] as const;
    expect(namesOf(await exportAll(records, { patientIds: ['amy'], types }))).toEqual([
      ...['Organization/lab', 'Patient/amy'],
    ]);
  });

  test('they count as they are at the call', async () => {
    const patientIds = ['ben'];
    const types: ('Goal' | 'Patient')[] = ['Patient'];
    const since = new Date(0);
    const { records } = await openFilled();
    const begun = records.exporter.begin({ patientIds, types, since });
    patientIds[0] = 'amy';
    types.push('Goal');
    since.setUTCFullYear(2100);
    expect(namesOf(await collect((await begun).resources))).toEqual(['Patient/ben']);
  });

  test('onProgress counts the practitioners and organizations that charts name, too', async () => {
    const { records } = await openFilled();
    const progress: ExportProgress[] = [];
    const onProgress = (reached: ExportProgress) => progress.push(reached);
    const exported = await exportAll(records, { patientIds: ['amy'], onProgress });
    expect(progress.at(-1)?.exported).toBe(exported.length);
  });

  test('since: only what was written then or later, an emptied care team, too', async () => {
    const { records, record, clock } = await openFilled();
    const since = clock.now();
    await record(goal({ id: 'late' }));
    await records.careTeams.removeAllParticipants('amy', { by: 'Practitioner/ada' });
    const exported = await exportAll(records, { since });
    expect(namesOf(exported)).toEqual(['CareTeam/amy', 'Goal/late']);
    expect(namesOf(await exportAll(records, { since: clock.now() }))).toEqual([]);
  });

  test('since, with patientIds: a practitioner who has changed, although nothing that names them has', async () => {
    const { records, record, clock } = await openFilled();
    await record(goal({ id: 'of-ben', patientId: 'ben' }));
    clock.at('2026-05-01T08:00:00Z');
    const options: ExportOptions = { patientIds: ['ben'], since: clock.now() };
    await records.directory.put('Practitioner', { id: 'ada', lastName: 'King', firstName: 'Ada' });
    await records.directory.put('Practitioner', { id: 'dan', lastName: 'King', firstName: 'Dan' });
    expect(namesOf(await exportAll(records, options))).toEqual(['Practitioner/ada']);
    expect(namesOf(await exportAll(records, { ...options, membersOf: ['Immunization'] }))).toEqual([]);
    expect(namesOf(await exportAll(records, { ...options, types: ['Patient'] }))).toEqual([]);
  });

  test('since, with patientIds: a practitioner whom a changed resource names, although they have not changed', async () => {
    const { records, record, clock } = await openFilled();
    clock.at('2026-05-01T08:00:00Z');
    const since = clock.now();
    await record(goal({ id: 'late', patientId: 'ben' }));
    expect(namesOf(await exportAll(records, { patientIds: ['ben'], since }))).toEqual([
      ...['Goal/late', 'Practitioner/ada'],
    ]);
    expect(namesOf(await exportAll(records, { since }))).toEqual(['Goal/late']);
    clock.at('2026-05-02T08:00:00Z');
    expect(namesOf(await exportAll(records, { patientIds: ['ben'], since: clock.now() }))).toEqual([]);
  });

  test('patientIds: of many organizations, a few are read at the same moment', async () => {
    const store = createMemoryStore();
    const { records } = await openClinic(store);
    const ids = Array.from({ length: 50 }, (_, index) => `o${index}`);
    for (const id of ids) await records.directory.put('Organization', { id, name: id });
    const participants = ids.map((id) => ({ ...lab, member: { reference: `Organization/${id}` } }));
    await records.careTeams.update('amy', team(...participants));
    let [reading, most] = [0, 0];
    const read: ClinicalStore['read'] = async (ref) => {
      reading += 1;
      most = Math.max(most, reading);
      const found = await store.read(ref);
      reading -= 1;
      return found;
    };
    const exported = await exportAll(createRecords({ ...store, read }), { patientIds: ['amy'] });
    expect(exported.filter(({ type }) => type === 'Organization')).toHaveLength(50);
    expect(most).toBe(10);
  });
});

test('an export since an invalid Date is refused, and does not end without a resource', async () => {
  const { records } = await openClinic(createMemoryStore());
  await expect(exportAll(records, { since: new Date('last week') })).rejects.toMatchObject({
    tag: 'Misuse',
    issues: [
      { message: expect.stringContaining('The option since of exporter.begin must be a valid Date.') },
    ],
  });
});

test.each([
  [{ types: ['Gaol'] }, 'types'],
  [{ provenanceOf: ['Patient'] }, 'provenanceOf'],
  [{ membersOf: ['Gaol'] }, 'membersOf'],
  [{ matching: { Gaol: [[['patient', 'amy']]] } }, 'matching'],
])('an export of %j, which names another type than there is, is refused', async (options, expression) => {
  const { records } = await openClinic(createMemoryStore());
  await expect(exportAll(records, options as ExportOptions)).rejects.toMatchObject({
    tag: 'InvalidRequest',
    issues: [{ rule: 'value', expression }],
  });
});

test('a record that was moved is in its new chart, and a patient who was merged links to the other one', async () => {
  const clinic = await openClinic(createMemoryStore());
  await fill(clinic);
  const { corrections } = clinic.records;
  await corrections.moveToPatient({ resourceType: 'Goal', resourceId: 'x', toPatientId: 'ben', ...why });
  const moved = await exportAll(clinic.records, { patientIds: ['ben'] });
  expect(namesOf(moved)).toContain('Goal/x');
  await corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
  const replaced = await exportAll(clinic.records, { patientIds: ['amy'] });
  expect(replaced.map(({ json }) => JSON.parse(json))).toMatchObject([
    { resourceType: 'Patient', id: 'amy', active: false, link: [{ other: { reference: 'Patient/ben' } }] },
  ]);
  const all = namesOf(await exportAll(clinic.records));
  expect(all).toContain('CareTeam/ben');
  expect(all).not.toContain('CareTeam/amy');
});

test('a care team in the form of US Core is imported without an issue', async () => {
  const store = createMemoryStore();
  await fill(await openClinic(store));
  const organization = { reference: 'Organization/lab', display: 'Lab Ltd' } as const;
  const exported = await exportAll(createRecords(store, { organization, usCore: true }));
  expect(linesOf(exported).join()).toContain('data-absent-reason","code":"unknown","display":"Unknown"');
  const { records, report } = await importInto(createMemoryStore(), exported);
  expect(report.issues).toEqual([]);
  const teamOf = async (one: ClinicalRecords) => (await one.careTeams.read('amy')).participant;
  expect(await teamOf(records)).toEqual(await teamOf(createRecords(store)));
});

test('a patient who was merged is imported as a patient of its own, and reported', async () => {
  const clinic = await openClinic(createMemoryStore());
  await fill(clinic);
  await clinic.records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
  const { records, report } = await importInto(createMemoryStore(), await exportAll(clinic.records));
  expect(report.issues).toEqual([]);
  expect(report.warnings.map(({ id, rule, outcome }) => [id, rule, outcome])).toEqual([
    ['amy', 'replaced', 'imported'],
    ['amy', 'inactive', 'imported'],
  ]);
  expect(await records.directory.readResource('Patient', 'amy')).toMatchObject({
    id: 'amy',
    name: [{ family: 'Shaw' }],
  });
  const reads = [clinic.records, records].map(
    async ({ careTeams }) => (await careTeams.read('ben')).participant,
  );
  expect(await reads[1]).toEqual(await reads[0]);
});
