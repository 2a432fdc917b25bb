import type { AccessEvent, ClinicalRecordsOptions, RecordMove } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { Validator } from '@seriousme/openapi-schema-validator';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { notFound } from '../../core/src/errors.ts';
import { createIfNoneExists } from '../../core/src/records/idempotency.ts';
import { isEnteredInError } from '../../core/src/records/page.ts';
import { resources } from '../../core/src/resources.ts';
import { condition, createRecordsWithConditions } from '../../core/test/condition/condition.ts';
import { goal } from './builders.ts';
import { createClock, createHandler, createSender, extensionBase } from './clinic.ts';
import { openSqlite } from './library/open-sqlite.ts';
import { idsOf } from './response-helpers.ts';

// Nothing of the library names this type. So whatever these tests use follows the definitions.

const snomed = 'http://snomed.info/sct';
const clinicalStatus = (code: string) => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/condition-clinical', code }],
});

const sourceCondition = (id: string, patientId: string, rest: object = {}) => ({
  resourceType: 'Condition',
  id,
  clinicalStatus: clinicalStatus('active'),
  category: [{ coding: [{ code: 'problem-list-item' }] }],
  code: { coding: [{ system: snomed, code: '38341003', display: 'Hypertension' }] },
  subject: { reference: `Patient/${patientId}` },
  encounter: { reference: `Encounter/visit-${patientId}` },
  recordedDate: '2024-05-02',
  ...rest,
});

const listOf = async <A>(items: AsyncIterable<A>): Promise<readonly A[]> => {
  const list: A[] = [];
  for await (const item of items) list.push(item);
  return list;
};

const why = { by: 'Practitioner/ada', reason: 'Entered in the wrong chart.' } as const;
const type = 'Condition' as RecordMove['resourceType'];

const openClinic = async (
  store: ClinicalStore,
  options: Partial<ClinicalRecordsOptions> = {},
  definition = condition,
) => {
  const { now: clock } = createClock();
  const records = createRecordsWithConditions(
    { store, extensionBase, careTeamRoles: [], clock, ...options },
    definition,
  );
  const { directory, chart } = records;
  await directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  for (const id of ['amy', 'ben']) {
    await directory.put('Patient', { id, lastName: 'Shaw', firstName: id });
    await directory.put('Encounter', { id: `visit-${id}`, patientId: id });
  }
  await chart.record(goal({ id: 'walk', patientId: 'amy' }), { by: 'Practitioner/ada' });
  await records.importer.load([
    sourceCondition('a', 'amy'),
    sourceCondition('b', 'ben', { clinicalStatus: clinicalStatus('resolved'), category: undefined }),
  ]);
  const send = createSender(createHandler(records));
  return { records, send, get: (path: string) => send('GET', path) };
};

describe.each<[string, () => ClinicalStore]>([
  ['memory', createMemoryStore],
  ['SQLite', openSqlite],
])('a fifth type of resource, which is only imported (%s)', (_, openStore) => {
  test('is read, with its version and its profile', async () => {
    const { records, get } = await openClinic(openStore());
    const { json, headers } = await get('/Condition/a');
    const { lastUpdated } = json.meta;
    const profile = [condition.profile];
    expect(json).toEqual({ ...sourceCondition('a', 'amy'), meta: { versionId: '1', lastUpdated, profile } });
    expect(headers.etag).toBe('W/"1"');
    expect((await get('/Condition/b')).json.meta.profile).toBeUndefined();
    expect(await records.conditions.read('a')).toEqual(json);
    expect((await get('/Condition/c')).status).toBe(404);
  });

  test('is searched, shortened, sorted, and includes what it refers to', async () => {
    const { get } = await openClinic(openStore());
    const found = async (query: string) => idsOf(await get(`/Condition?${query}`));
    expect(await found('patient=amy')).toEqual(['a']);
    expect(await found('clinical-status=resolved')).toEqual(['b']);
    expect(await found(`code=${snomed}|38341003&_sort=-recorded-date`)).toEqual(['a', 'b']);
    expect(await found('code=other')).toEqual([]);
    expect(await found('_id=a&_include=Condition:patient')).toEqual(['a', 'amy']);
    expect(await found('_id=a&_revinclude=Provenance:target')).toEqual(['a', 'Co-a-1']);
    const { json } = await get('/Condition?_id=a&_elements=code');
    expect(Object.keys(json.entry[0].resource).toSorted()).toEqual(
      ['category', 'code', 'id', 'meta', 'resourceType', 'subject'].toSorted(),
    );
  });

  test('is imported again: unchanged, or as a new version; before its patient, it waits', async () => {
    const { records, get } = await openClinic(openStore());
    const again = await records.importer.load([sourceCondition('a', 'amy')]);
    expect([again.unchanged, again.imported]).toEqual([{ Condition: 1 }, {}]);
    const changed = await records.importer.load([
      sourceCondition('a', 'amy', { clinicalStatus: clinicalStatus('resolved') }),
      sourceCondition('c', 'cyd'),
      { resourceType: 'Patient', id: 'cyd', name: [{ family: 'Lane' }] },
    ]);
    expect(changed.imported).toEqual({ Condition: 2, Patient: 1 });
    expect((await get('/Condition/a')).json.meta.versionId).toBe('2');
    expect(idsOf(await get('/Condition?patient=amy&clinical-status=active'))).toEqual([]);
  });

  test('names people by their ids, even if another system named them in another way and later', async () => {
    const { records, get } = await openClinic(openStore());
    const identifier = { system: 'http://hl7.org/fhir/sid/us-npi', value: '9' };
    const { imported, issues } = await records.importer.load([
      sourceCondition('c', 'amy', { recorder: { identifier } }),
      { resourceType: 'Practitioner', id: 'doc', name: [{ family: 'Okafor' }], identifier: [identifier] },
    ]);
    expect([imported, issues]).toEqual([{ Condition: 1, Practitioner: 1 }, []]);
    expect((await get('/Condition/c')).json.recorder).toEqual({ identifier, reference: 'Practitioner/doc' });
  });

  test('is reported if it is of another version of FHIR', async () => {
    const { records } = await openClinic(openStore());
    const { issues } = await records.importer.load([
      sourceCondition('d', 'amy', { dateRecorded: '2014-05-02', code: undefined }),
      { resourceType: 'Problem', id: 'p' },
    ]);
    expect(issues.filter(({ rule }) => rule === 'other-version')).toMatchObject([
      { message: expect.stringContaining('DSTU1 has Problem, where R4 has Condition.') },
      { message: expect.stringContaining('DSTU2 has `dateRecorded`, where R4 has recordedDate.') },
    ]);
  });

  test('is refused with a modifierExtension anywhere, though its schema is loose', async () => {
    const { records } = await openClinic(openStore());
    const stage = [{ modifierExtension: [{ url: 'urn:not', valueBoolean: true }] }];
    const sent = sourceCondition('m', 'amy', { stage });
    for (const item of [sent, JSON.stringify(sent)]) {
      const { issues } = await records.importer.load([item]);
      expect(issues.map(({ rule }) => rule)).toEqual(['modifier-extension']);
    }
  });

  test('has a history, Provenances and changes', async () => {
    const { records, get } = await openClinic(openStore());
    await records.importer.load([sourceCondition('a', 'amy', { recordedDate: '2024-05-03' })]);
    expect((await get('/Condition/a/_history')).json.total).toBe(2);
    expect((await get('/Condition/a/_history/1')).json.recordedDate).toBe('2024-05-02');
    expect((await get('/Provenance/Co-a-2')).json.target).toEqual([
      { reference: 'Condition/a/_history/2', type: 'Condition' },
    ]);
    expect(idsOf(await get('/Provenance?target=Condition/a'))).toEqual(['Co-a-1', 'Co-a-2']);
    // The initial of a care team begins that of a condition.
    expect((await get('/Provenance/C-amy-1')).json.target).toEqual([
      { reference: 'CareTeam/amy/_history/1', type: 'CareTeam' },
    ]);
    expect((await get('/Provenance/C-a-1')).status).toBe(404);
    const changes = (await listOf(records.changes())).filter((one) => one.resourceType === type);
    expect(changes.map(({ id, version, patientId }) => [id, version, patientId])).toEqual([
      ['a', 1, 'amy'],
      ['b', 1, 'ben'],
      ['a', 2, 'amy'],
    ]);
    expect(changes[0]?.resource).toEqual(sourceCondition('a', 'amy'));
  });

  test('is exported, and a part of everything', async () => {
    const { records, get } = await openClinic(openStore());
    const { resources } = await records.exporter.begin({ provenanceOf: [type] });
    const exported = (await listOf(resources)).map(({ type, id }) => `${type}/${id}`);
    expect(exported).toEqual(expect.arrayContaining(['Condition/a', 'Condition/b', 'Provenance/Co-a-1']));
    const everything = idsOf(await get('/Patient/amy/$everything'));
    expect(everything).toEqual(expect.arrayContaining(['amy', 'walk', 'a', 'visit-amy']));
    expect(everything).not.toContain('b');
    const target = createRecordsWithConditions({
      ...{ store: createMemoryStore(), extensionBase, careTeamRoles: [] },
    });
    const { resources: all } = await records.exporter.begin();
    const texts = (await listOf(all)).map(({ json }) => json);
    expect((await target.importer.load(texts)).imported).toMatchObject({ Condition: 2 });
  });

  test('is found by its identifier before another is created, unless it is entered in error', async () => {
    const store = openStore();
    const { records } = await openClinic(store);
    const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];
    const verificationStatus = { coding: [{ code: 'entered-in-error' }] };
    const load = (id: string, rest: object) =>
      records.importer.load([sourceCondition(id, 'amy', { identifier, ...rest })]);
    const options = { ifNoneExist: 'identifier=urn:oid:1.2.3|A-1' };
    const sent = { by: null, patientId: 'amy', identifiers: identifier };
    const create = createIfNoneExists(condition, options, sent);
    const none = E.left(notFound('Condition', 'new'));
    const find = async () => (E.isLeft(create) ? create : create.right(store, async () => none));

    // More than one page of a search.
    for (let index = 0; index <= 100; index += 1) await load(`wrong-${index}`, { verificationStatus });
    expect(await find()).toEqual(none);
    await load('right', {});
    expect(await find()).toMatchObject(E.right({ id: 'right', isExisting: true }));
    await load('also-right', {});
    expect(await find()).toMatchObject(E.left({ _tag: 'PreconditionFailed' }));
  });

  test('is moved to another chart, without what belongs to the first', async () => {
    const { records, get } = await openClinic(openStore());
    await records.corrections.moveToPatient({
      resourceType: type,
      resourceId: 'a',
      toPatientId: 'ben',
      ...why,
    });
    const { subject, encounter } = (await get('/Condition/a')).json;
    expect([subject.reference, encounter]).toEqual(['Patient/ben', undefined]);
    expect(idsOf(await get('/Condition?patient=amy'))).toEqual([]);
    expect(idsOf(await get('/Condition?patient=ben'))).toEqual(['a', 'b']);
    expect((await records.verify()).discrepancies).toEqual([]);
  });

  test('is merged with the chart: its subject changes, and nothing is added to it', async () => {
    const { records, get } = await openClinic(openStore());
    await records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
    const { meta: _, ...merged } = (await get('/Condition/a')).json;
    expect(merged).toEqual(sourceCondition('a', 'ben', { encounter: { reference: 'Encounter/visit-amy' } }));
    expect((await records.verify()).discrepancies).toEqual([]);
  });

  test('is erased, by itself and with its chart', async () => {
    const { records, get } = await openClinic(openStore());
    await records.corrections.erase({ resourceType: type, resourceId: 'a', ...why });
    await records.corrections.erase({ resourceType: 'Patient', resourceId: 'ben', ...why });
    for (const id of ['a', 'b']) expect((await get(`/Condition/${id}`)).status).toBe(404);
    expect(await records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  });

  test('is read and searched within a transaction', async () => {
    const { records } = await openClinic(openStore());
    const [{ id }, { total }] = await records.transaction(async (transaction) => {
      const { conditions } = transaction as unknown as typeof records;
      return [await conditions.read('a'), await conditions.search({ patient: 'amy' })] as const;
    });
    expect([id, total]).toEqual(['a', 1]);
  });

  test('is verified and reindexed', async () => {
    const { records } = await openClinic(openStore());
    expect(await records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
    expect(await records.reindex()).toEqual({ records: 0, reindexed: 0 });
  });
});

test('/metadata and /openapi.json describe it', async () => {
  const { get } = await openClinic(createMemoryStore());
  const [{ resource }] = (await get('/metadata')).json.rest;
  const described = resource.find((one: { readonly type: string }) => one.type === 'Condition');
  expect(described).toMatchObject({
    supportedProfile: [condition.profile],
    interaction: ['read', 'search-type', 'history-instance', 'vread'].map((code) => ({ code })),
    searchInclude: ['Condition:patient', 'Condition:subject', '*'],
  });
  const { json: document } = await get('/openapi.json');
  const { valid, errors } = await new Validator().validate(document);
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  const paths = Object.keys(document.paths).filter((path) => path.startsWith('/Condition'));
  expect(paths).toHaveLength(5);
  const [target] =
    document.components.schemas.Provenance.properties.target.items.properties.type.enum.slice(-1);
  expect(target).toBe('Condition');
});

test('scopes grant and limit it', async () => {
  const { records } = await openClinic(createMemoryStore());
  const sendAs = (scopes: string, patient = 'amy') =>
    createSender(createHandler(records, { authenticate: () => ({ subject: 'Person/x', scopes, patient }) }));
  const status = async (scopes: string, path: string) => (await sendAs(scopes)('GET', path)).status;
  expect(await status('patient/Condition.rs', '/Condition/a')).toBe(200);
  expect(await status('patient/Condition.rs', '/Condition/b')).toBe(404);
  expect(await status('patient/Condition.rs', '/Condition?patient=ben')).toBe(403);
  expect(await status('user/Goal.rs', '/Condition/a')).toBe(403);
  expect(idsOf(await sendAs('patient/*.rs')('GET', '/Condition'))).toEqual(['a']);
  const write = await sendAs('user/*.*')('PUT', '/Condition/a', { body: sourceCondition('a', 'amy') });
  expect([write.status, write.headers.allow]).toEqual([405, 'GET, HEAD']);
});

test('a stream of events names its versions', async () => {
  const { records } = await openClinic(createMemoryStore());
  const { stream } = await createHandler(records, { events: { interval: 1 } })({
    ...{ method: 'GET', url: '/fhir/events?patient=amy', headers: { authorization: 'Bearer full' } },
  });
  await stream?.next();
  await records.importer.load([sourceCondition('c', 'amy')]);
  expect((await stream?.next())?.value).toContain('{"resourceType":"Condition","id":"c","version":1}');
  await stream?.return();
});

test('an audit names it', async () => {
  const store = createMemoryStore();
  await openClinic(store);
  const events: AccessEvent[] = [];
  const records = createRecordsWithConditions({
    ...{ store, extensionBase, careTeamRoles: [] },
    onAccess: (event) => events.push(event),
  });
  await records.conditions.read('a', { by: 'Practitioner/ada' });
  expect(events).toMatchObject([
    { by: 'Practitioner/ada', interaction: 'read', resourceType: 'Condition', patientIds: ['amy'] },
  ]);
});

test('a host that serves it goes on to do so, and the records still keep what they imported', async () => {
  const { records } = await openClinic(createMemoryStore());
  const ofHost = sourceCondition('h', 'amy');
  const hostResources = {
    types: ['Condition'],
    read: (_: string, id: string) => (id === 'h' ? ofHost : null),
  };
  const send = createSender(createHandler(records, { hostResources, events: {} }));
  expect((await send('GET', '/Condition/h')).json).toEqual(ofHost);
  expect((await send('GET', '/Condition/a')).status).toBe(404);
  expect((await send('GET', '/Condition?patient=amy')).status).toBe(405);
  const [{ resource }] = (await send('GET', '/metadata')).json.rest;
  const described = resource.filter((one: { readonly type: string }) => one.type === 'Condition');
  expect(described).toEqual([{ type: 'Condition', interaction: [{ code: 'read' }] }]);
  expect((await records.conditions.read('a')).id).toBe('a');
});

test('participants of any type get a status among the commands, and an id of a patient is audited as one', async () => {
  const { functions } = condition;
  const { setParticipantStatus } = resources.CareTeam.functions.asJson;
  const withParticipants: typeof condition = {
    ...condition,
    isOnePerPatient: true,
    functions: { ...functions, asJson: Object.assign({ setParticipantStatus }, functions.asJson) },
    requests: { setParticipantStatus: { errorTags: ['InvalidRequest'] } },
    createService: (environment, context) => {
      const service = condition.createService(environment, context);
      const { read } = service.asJson;
      return { ...service, asJson: { ...service.asJson, setParticipantStatus: (id: string) => read(id) } };
    },
  };
  const events: AccessEvent[] = [];
  const onAccess = (event: AccessEvent) => events.push(event);
  const { records } = await openClinic(createMemoryStore(), { onAccess }, withParticipants);
  await records.importer.load([sourceCondition('amy', 'amy')]);
  const send = createSender(createHandler(records, { chartCommands: true }));
  const path = '/commands/Condition/amy';
  const set = await send('POST', path, {
    body: { status: 'proposed' },
    headers: { prefer: 'return=representation' },
  });
  expect([set.status, set.json.id]).toEqual([200, 'amy']);
  expect((await send('GET', path)).headers.allow).toBe('POST');
  expect(Object.keys((await send('GET', '/openapi.json')).json.paths)).toContain('/commands/Condition/{id}');
  // The commands of other types, and the participants of care teams, are where they were.
  expect((await send('GET', '/commands/Goal/walk')).json.commands).toHaveLength(1);
  expect((await send('GET', '/commands/CareTeam/amy')).headers.allow).toBe('POST');
  events.length = 0;
  await send('GET', '/Condition/ben');
  expect(events).toMatchObject([{ outcome: 'refused', patientIds: ['ben'] }]);
});

test('each type says where a resource is entered in error, in whatever form another system has sent it', () => {
  const code = 'entered-in-error';
  const { Goal, ...others } = resources;
  expect(isEnteredInError(Goal, { lifecycleStatus: code })).toBe(true);
  for (const one of Object.values(others)) expect(isEnteredInError(one, { status: code })).toBe(true);
  const coding = [null, { code: 'confirmed' }, { code }];
  expect(isEnteredInError(condition, { verificationStatus: { coding } })).toBe(true);
  for (const verificationStatus of [undefined, null, 7, code, [code], { coding: code }, { code }])
    expect(isEnteredInError(condition, { verificationStatus, status: code })).toBe(false);
});

test('a refused If-None-Exist names every type that has one', async () => {
  const { functions } = condition;
  const { create } = resources.Immunization.functions.asJson;
  const withCreate: typeof condition = {
    ...condition,
    functions: { ...functions, asJson: Object.assign({ create }, functions.asJson) },
    requests: { create: { body: condition.schema, errorTags: ['InvalidRequest'] } },
    createService: (environment, context) => {
      const service = condition.createService(environment, context);
      const { read } = service.asJson;
      return { ...service, asJson: { ...service.asJson, create: () => read('a') } };
    },
  };
  const headers = { 'if-none-exist': 'identifier=urn:oid:1.2.3|A-1' };
  for (const [definition, created, creates] of [
    [condition, 405, 'POST /Immunization'],
    [withCreate, 201, 'POST /Immunization or POST /Condition'],
  ] as const) {
    const { send } = await openClinic(createMemoryStore(), {}, definition);
    expect((await send('POST', '/Condition', { headers, body: {} })).status).toBe(created);
    const { status, json } = await send('PUT', '/CareTeam/amy', { headers, body: {} });
    const sentence = `If-None-Match is not supported here, and If-None-Exist only with ${creates}. Nothing was changed.`;
    expect([status, json.issue[0].diagnostics]).toEqual([400, sentence]);
  }
});

test('names that every object has are not types', async () => {
  const { records, get } = await openClinic(createMemoryStore());
  for (const name of ['toString', 'constructor', '__proto__', 'hasOwnProperty']) {
    const { imported, unchanged } = await records.importer.load([{ resourceType: name, id: 'x' }]);
    expect([imported, unchanged]).toEqual([{}, {}]);
    expect((await get(`/${name}/x`)).status).toBe(404);
    expect((await get(`/Provenance?target=${name}/x`)).status).toBe(400);
    expect((await get(`/Patient/amy/$everything?_type=${name}`)).status).not.toBe(500);
    const moved = records.corrections.moveToPatient({
      ...{ resourceType: name as RecordMove['resourceType'], resourceId: 'x', toPatientId: 'ben' },
      ...why,
    });
    await expect(Promise.resolve(moved)).rejects.toMatchObject({ tag: 'InvalidRequest' });
  }
});

test('two types whose Provenances would have the same ids are refused at creation', () => {
  const options = { store: createMemoryStore(), extensionBase, careTeamRoles: [] };
  expect(() => createRecordsWithConditions(options, { ...condition, initial: 'C' })).toThrow(
    'Two types of resources have the same initial in the ids of their Provenances.',
  );
});
