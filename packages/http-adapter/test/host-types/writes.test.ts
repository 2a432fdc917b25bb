import { describe, expect, test } from 'vitest';
import { idsOf } from '../response-helpers.ts';
import { by, nuts, openClinic, verificationStatus } from './clinic.ts';
import { type OpenStore, stores } from './stores.ts';

const allergies = '/AllergyIntolerance';

const open = async (openStore: OpenStore) => {
  const clinic = await openClinic(await openStore());
  const post = async (body: object = nuts(), headers: Readonly<Record<string, string>> = {}) =>
    clinic.send('POST', allergies, { body, headers });
  const created = await clinic.records.allergies.create(nuts(), { by });
  const put = (rest: object = {}, headers: Readonly<Record<string, string>> = {}, id = created.id) =>
    clinic.send('PUT', `${allergies}/${id}`, { body: { id, ...nuts(rest) }, headers });
  const rulesOf = (response: { readonly json: { issue: { details: { coding: { code: string }[] } }[] } }) =>
    response.json.issue.map(({ details }) => details.coding[0]?.code);
  return { ...clinic, post, put, created, rulesOf };
};

describe.each(stores)("a host's type that is written (%s)", (_, openStore) => {
  test('is created and read as it was sent, with its version, its profile and the types of references', async () => {
    const { records, created, get } = await open(openStore);
    const { status, json, headers } = await get(`${allergies}/${created.id}`);
    expect([status, headers.etag]).toEqual([200, 'W/"1"']);
    expect(json).toEqual({
      ...nuts(),
      id: created.id,
      meta: {
        versionId: '1',
        lastUpdated: expect.any(String),
        profile: ['http://hl7.org/fhir/us/core/StructureDefinition/us-core-allergyintolerance'],
      },
      patient: { reference: 'Patient/amy', type: 'Patient' },
    });
    expect(created).toEqual(json);
    expect(await records.allergies.read(created.id)).toEqual(json);
    expect((await get(`/Provenance/AllergyIntolerance-${created.id}-1`)).json.agent[0].who.reference).toBe(
      by,
    );
    expect((await records.verify()).discrepancies).toEqual([]);
  });

  test('is created over HTTP, with its place and its version', async () => {
    const { post } = await open(openStore);
    const { status, headers } = await post();
    expect(status).toBe(201);
    expect(headers).toMatchObject({
      etag: 'W/"1"',
      location: expect.stringMatching(/^AllergyIntolerance\/|\/AllergyIntolerance\//),
    });
  });

  test('refused: an element that is missing, unknown or not valid, each by its place', async () => {
    const { post } = await open(openStore);
    const { code: _, ...rest } = nuts({
      criticality: 'medium',
      reaction: [{ manifestation: [], colour: 'red' }],
    });
    const { status, json } = await post(rest);
    expect(status).toBe(400);
    expect(json.issue.map(({ expression }: { expression: string[] }) => expression[0]).toSorted()).toEqual([
      'AllergyIntolerance.code',
      'AllergyIntolerance.criticality',
      'AllergyIntolerance.reaction[0].colour',
      'AllergyIntolerance.reaction[0].manifestation',
    ]);
  });

  test('refused: two elements of a choice', async () => {
    const { post, put } = await open(openStore);
    const twice = nuts({ onsetString: 'as a child', onsetDateTime: '1990' });
    for (const { status, json } of [await post(twice), await put(twice)]) {
      expect(status).toBe(400);
      expect(json.issue.map(({ expression }: { expression: string[] }) => expression[0])).toEqual([
        'AllergyIntolerance.onsetString',
      ]);
    }
    expect((await put(nuts({ onsetString: 'as a child' }))).status).toBe(200);
  });

  test('what FHIR has and it does not store is dropped, or refused under strict handling', async () => {
    const { post } = await open(openStore);
    const sent = nuts({ lastOccurrence: '2020' });
    expect((await post(sent)).status).toBe(201);
    expect((await post(sent, { prefer: 'handling=strict' })).status).toBe(400);
  });

  test('refused: an unknown patient, and a new one that is entered in error', async () => {
    const { post, rulesOf } = await open(openStore);
    const unknown = await post(nuts({ patient: { reference: 'Patient/zoe' } }));
    expect([unknown.status, unknown.json.issue[0].expression]).toEqual([422, ['AllergyIntolerance.patient']]);
    const inError = await post(nuts({ verificationStatus: verificationStatus('entered-in-error') }));
    expect([inError.status, rulesOf(inError)]).toEqual([422, ['new-in-error']]);
  });

  test('with an Idempotency-Key, it is created once', async () => {
    const { post, get } = await open(openStore);
    const headers = { 'idempotency-key': '"9f2c0b8e"' };
    const [first, again] = [await post(nuts(), headers), await post(nuts(), headers)];
    expect([first.status, again.status, again.headers.location]).toEqual([201, 201, first.headers.location]);
    expect((await get(`${allergies}?patient=amy`)).json.total).toBe(2);
    expect((await post(nuts({ criticality: 'low' }), headers)).status).toBe(422);
  });

  test('with If-None-Exist, the one with the identifier is the result, unless it is entered in error', async () => {
    const { post, put, get } = await open(openStore);
    const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];
    const headers = { 'if-none-exist': 'identifier=urn:oid:1.2.3|A-1' };
    const first = await post(nuts({ identifier }), headers);
    const again = await post(nuts({ identifier }), headers);
    expect([first.status, again.status, again.headers.etag]).toEqual([201, 200, 'W/"1"']);
    const [id = ''] = idsOf(await get(`${allergies}?identifier=A-1`));
    await put({ verificationStatus: verificationStatus('entered-in-error') }, {}, id);
    expect((await post(nuts({ identifier }), headers)).status).toBe(201);
  });

  test('is replaced by a PUT: what it leaves out is gone, but labels and identifiers stay', async () => {
    const { records, created, get } = await open(openStore);
    const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];
    const meta = { security: [{ code: 'R' }], tag: [{ code: 'follow-up' }] };
    const { id } = created;
    await records.allergies.update(id, { id, ...nuts(), identifier, meta }, { by });
    const { reaction: _, ...less } = nuts({ criticality: 'low' });
    const updated = await records.allergies.update(id, { id, ...less, meta: { tag: [] } }, { by });
    expect([updated.reaction, updated.criticality, updated.identifier]).toEqual([
      undefined,
      'low',
      identifier,
    ]);
    expect(updated.meta).toMatchObject({ versionId: '3', security: meta.security });
    expect(idsOf(await get(`${allergies}?_security=R&criticality=low`))).toEqual([id]);
    expect(idsOf(await get(`${allergies}?manifestation=271807003`))).toEqual([]);
    const { json } = await get(`${allergies}/${id}/_history`);
    expect(
      json.entry.map(({ resource }: { resource: { criticality: string } }) => resource.criticality),
    ).toEqual(['low', 'high', 'high']);
  });

  test('a PUT that changes nothing writes nothing', async () => {
    const { put } = await open(openStore);
    expect((await put()).headers.etag).toBe('W/"1"');
  });

  test('refused: another version than If-Match, another id, another patient, and what is not there', async () => {
    const { put, send, rulesOf, created } = await open(openStore);
    expect((await put({ criticality: 'low' }, { 'if-match': 'W/"1"' })).headers.etag).toBe('W/"2"');
    expect((await put({ criticality: 'high' }, { 'if-match': 'W/"1"' })).status).toBe(412);
    const ofBen = await put({ patient: { reference: 'Patient/ben' } });
    expect([ofBen.status, rulesOf(ofBen)]).toEqual([422, ['chart-differs']]);
    const body = { id: 'other', ...nuts() };
    expect((await send('PUT', `${allergies}/${created.id}`, { body })).status).toBe(400);
    expect((await send('PUT', `${allergies}/other`, { body })).status).toBe(404);
  });

  test('once it is entered in error, it does not change any more', async () => {
    const { put, rulesOf } = await open(openStore);
    expect((await put({ verificationStatus: verificationStatus('entered-in-error') })).status).toBe(200);
    const changed = await put();
    expect([changed.status, rulesOf(changed)]).toEqual([422, ['in-error']]);
  });

  test('of ten at once that expect the first version, one is written', async () => {
    const { put, records } = await open(openStore);
    const severities = Array.from({ length: 10 }, (_, index) => ({ note: [{ text: `note ${index}` }] }));
    const all = await Promise.all(severities.map((rest) => put(rest, { 'if-match': 'W/"1"' })));
    expect(all.map(({ status }) => status).toSorted()).toEqual([200, ...Array(9).fill(412)]);
    expect((await records.verify()).discrepancies).toEqual([]);
  });

  test('a form can check its body before it is sent', async () => {
    const { records } = await open(openStore);
    const { validate } = records.bodies.AllergyIntolerance.create['~standard'];
    expect(validate(nuts())).toEqual({ value: nuts() });
    expect(validate(nuts({ criticality: 'none' }))).toMatchObject({ issues: [{ path: ['criticality'] }] });
    expect(records.bodies.Condition).toEqual({});
    expect(records.describe().resources.Condition.bodies).toEqual({});
  });

  test('a record that is too large is refused', async () => {
    const { records, created } = await open(openStore);
    const note = Array.from({ length: 600 }, () => ({ text: 'x'.repeat(1_000) }));
    await expect(records.allergies.create({ ...nuts(), note })).rejects.toMatchObject({
      issues: [{ rule: 'record-full' }],
    });
    const { id } = created;
    await expect(records.allergies.update(id, { id, ...nuts(), note })).rejects.toMatchObject({
      issues: [{ rule: 'record-full' }],
    });
  });
});
