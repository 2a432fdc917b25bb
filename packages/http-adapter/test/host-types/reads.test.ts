import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { condition } from '../../../../examples/conditions/condition.ts';
import { createHandler, createSender } from '../clinic.ts';
import { idsOf } from '../response-helpers.ts';
import { by, clinicalStatus, nuts, openClinic, sourceCondition, verificationStatus } from './clinic.ts';
import { type OpenStore, stores } from './stores.ts';

const snomed = 'http://snomed.info/sct';

const profile = 'http://hl7.org/fhir/us/core/StructureDefinition/us-core-condition-problems-health-concerns';

/** A clinic in which Amy has an active condition, and Ben one that is resolved. */
const open = async (openStore: OpenStore) => {
  const clinic = await openClinic(await openStore());
  await clinic.records.importer.load([
    sourceCondition('a', 'amy', { recorder: { reference: 'Practitioner/ada' } }),
    sourceCondition('b', 'ben', {
      clinicalStatus: clinicalStatus('resolved'),
      category: undefined,
      recordedDate: '2023-01-01',
      meta: { security: [{ code: 'R' }] },
    }),
  ]);
  const found = async (query: string) => idsOf(await clinic.get(`/Condition?${query}`));
  return { ...clinic, found };
};

describe.each(stores)("a host's type that is only imported (%s)", (_, openStore) => {
  test('is read, with its version and its profile', async () => {
    const { records, get } = await open(openStore);
    const { json, headers } = await get('/Condition/a');
    expect(json.meta).toEqual({ versionId: '1', lastUpdated: expect.any(String), profile: [profile] });
    expect(headers.etag).toBe('W/"1"');
    expect((await get('/Condition/b')).json.meta.profile).toBeUndefined();
    expect(await records.conditions.read('a')).toEqual(json);
    expect((await get('/Condition/c')).status).toBe(404);
  });

  test('is searched by its parameters and by those of every type, with modifiers', async () => {
    const { found } = await open(openStore);
    for (const [query, ids] of [
      ['patient=amy', ['a']],
      ['clinical-status=resolved', ['b']],
      ['clinical-status:not=resolved', ['a']],
      ['category:missing=true', ['b']],
      [`code=${snomed}|38341003&_sort=recorded-date`, ['b', 'a']],
      ['code=other', []],
      ['recorded-date=ge2024', ['a']],
      ['encounter=Encounter/visit-ben', ['b']],
      ['_security=R', ['b']],
      [`_profile=${profile}`, ['a']],
      ['_id=a,b&_lastUpdated=ge2026', ['a', 'b']],
    ] as const)
      expect([query, await found(query)]).toEqual([query, ids]);
  });

  test('refused: a parameter that it does not have, and a code that is not in its list', async () => {
    const { get } = await open(openStore);
    for (const query of ['severity=mild', 'clinical-status=over', 'clinical-status:text=a'])
      expect([query, (await get(`/Condition?${query}`)).status]).toEqual([query, 400]);
  });

  test('is in pages, whose links lead to the next', async () => {
    const { records, get } = await open(openStore);
    await records.importer.load(
      Array.from({ length: 25 }, (_, index) => sourceCondition(`p${index}`, 'amy')),
    );
    const ids: string[] = [];
    let path: string | undefined = '/Condition?patient=amy&_count=10';
    while (path !== undefined) {
      const page = await get(path);
      expect(page.json.total).toBe(26);
      ids.push(...idsOf(page));
      const next: string | undefined = page.json.link.find(
        (link: { relation: string }) => link.relation === 'next',
      )?.url;
      path = next && `/${next}`;
    }
    expect(new Set(ids).size).toBe(26);
    const all: string[] = [];
    for await (const { id } of records.conditions.all({ patient: 'amy' })) all.push(id);
    expect(all).toEqual(ids);
  });

  test('includes what it refers to, and its Provenance, and is shortened', async () => {
    const { found, get } = await open(openStore);
    expect(await found('_id=a&_include=Condition:patient')).toEqual(['a', 'amy']);
    expect(await found('_id=a&_include=Condition:encounter')).toEqual(['a', 'visit-amy']);
    expect((await found('_id=a&_include=*')).toSorted()).toEqual(['a', 'amy', 'visit-amy']);
    expect(await found('_id=a&_revinclude=Provenance:target')).toEqual(['a', 'Condition-a-1']);
    const shown = async (query: string) =>
      Object.keys((await get(`/Condition?_id=a&${query}`)).json.entry[0].resource).toSorted();
    expect(await shown('_elements=code')).toEqual([
      'category',
      'code',
      'id',
      'meta',
      'resourceType',
      'subject',
    ]);
    expect(await shown('_summary=true')).toEqual([
      'category',
      'clinicalStatus',
      'code',
      'encounter',
      'id',
      'meta',
      'recordedDate',
      'recorder',
      'resourceType',
      'subject',
    ]);
  });

  test('has a history and Provenances of each version', async () => {
    const { records, get } = await open(openStore);
    await records.importer.load([
      sourceCondition('a', 'amy', { verificationStatus: verificationStatus('entered-in-error') }),
    ]);
    expect((await get('/Condition/a/_history')).json.total).toBe(2);
    expect((await get('/Condition/a/_history/1')).json.verificationStatus).toBeUndefined();
    expect((await get('/Condition/a/_history/3')).status).toBe(404);
    expect((await get('/Provenance/Condition-a-2')).json.target).toEqual([
      { reference: 'Condition/a/_history/2', type: 'Condition' },
    ]);
    expect(idsOf(await get('/Provenance?target=Condition/a'))).toEqual(['Condition-a-1', 'Condition-a-2']);
    expect((await get('/Provenance/C-a-1')).status).toBe(404);
  });

  test('is a part of everything of its patient, as far as its type is asked for', async () => {
    const { records, get } = await open(openStore);
    const { id } = await records.allergies.create(nuts(), { by });
    const everything = async (query = '') => idsOf(await get(`/Patient/amy/$everything${query}`));
    expect(await everything()).toEqual(expect.arrayContaining(['amy', 'a', id, 'visit-amy']));
    expect(await everything()).not.toContain('b');
    expect(await everything('?_type=AllergyIntolerance')).toEqual([id]);
  });

  test('a reader of one chart, or of what a search finds, sees nothing else', async () => {
    const { records } = await open(openStore);
    const { conditions } = records;
    const matching = [[['code', '38341003'] as const]];
    expect((await conditions.search({}, { within: 'amy' })).total).toBe(1);
    expect((await conditions.read('b', { within: ['amy', 'ben'], matching })).id).toBe('b');
    for (const limit of [{ within: 'amy' }, { matching: [[['code', 'other'] as const]] }]) {
      await expect(conditions.read('b', limit)).rejects.toMatchObject({ tag: 'NotFound' });
      await expect(conditions.history('b', limit)).rejects.toMatchObject({ tag: 'NotFound' });
    }
  });

  test('`authorize` is asked about each, with its labels, also before it is created', async () => {
    const { records } = await open(openStore);
    const asked: unknown[] = [];
    const authorize = async (question: object) => {
      asked.push(question);
      return { within: 'ben' };
    };
    expect((await records.conditions.read('b', { authorize })).id).toBe('b');
    await expect(records.conditions.read('a', { authorize })).rejects.toMatchObject({ tag: 'NotFound' });
    const restricted = { meta: { security: [{ code: 'R' }] } };
    await expect(records.allergies.create(nuts(restricted), { authorize })).rejects.toMatchObject({
      tag: 'Forbidden',
    });
    expect(asked).toEqual([
      { id: 'b', patientIds: ['ben'], labels: restricted.meta },
      { id: 'a', patientIds: ['amy'], labels: {} },
      { id: null, patientIds: ['amy'], labels: restricted.meta },
    ]);
  });
});

test('a type that is only imported has no writes', async () => {
  const { records, send } = await openClinic(createMemoryStore());
  expect(records.conditions).not.toHaveProperty('create');
  expect(records.resources.find(({ type }) => type === condition.type)).toMatchObject({
    isOnlyImported: true,
    writes: {},
  });
  for (const [method, path] of [
    ['POST', '/Condition'],
    ['PUT', '/Condition/a'],
  ] as const)
    expect((await send(method, path, { body: sourceCondition('a', 'amy') })).status).toBe(405);
});

test('a type that is only imported gives way to a host that serves it itself, and to no other', async () => {
  const { records } = await openClinic(createMemoryStore());
  const open = (type: string) =>
    createSender(
      createHandler(records, {
        hostResources: { types: [type], read: async (_, id) => ({ resourceType: type, id, language: 'en' }) },
      }),
    );
  const searchesOf = async (send: ReturnType<typeof open>, type: string) => {
    const { json } = await send('GET', '/metadata', { token: null });
    const resources: { type: string; searchParam?: readonly { name: string }[] }[] = json.rest[0].resource;
    return resources.find((one) => one.type === type)?.searchParam?.map(({ name }) => name);
  };
  const theirs = open('Condition');
  expect((await theirs('GET', '/Condition/x')).json.language).toBe('en');
  expect(await searchesOf(theirs, 'Condition')).toBeUndefined();
  const others = open('Medication');
  expect((await others('GET', '/Condition/x')).status).toBe(404);
  expect(await searchesOf(others, 'Condition')).toContain('clinical-status');
  for (const send of [theirs, others]) {
    expect(await searchesOf(send, 'Goal')).toContain('target-date');
    expect(await searchesOf(send, 'Provenance')).toContain('target');
  }
});
