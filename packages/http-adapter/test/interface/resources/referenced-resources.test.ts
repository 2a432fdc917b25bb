import { ClinicalRecordsError } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { HostResources, Principal } from '../../../src/index.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, expectNotFound } from '../../response-helpers.ts';

let clinic: Clinic;

beforeAll(async () => {
  clinic = await openClinic(createMemoryStore());
});

const inAmysChart = (scopes: Principal['scopes']): Principal => ({
  subject: 'Patient/amy',
  scopes,
  patient: 'amy',
});

describe('without `hostResources`, the directory shows what it knows, and nothing else', () => {
  test.each([
    ['Patient', 'amy', { name: [{ family: 'Shaw', given: ['Amy'] }] }],
    ['Practitioner', 'ada', { name: [{ family: 'Byron', given: ['Ada'] }] }],
    ['Organization', 'lab', { name: 'Lab Ltd' }],
    [
      'Encounter',
      'visit-amy',
      {
        status: 'unknown',
        class: {
          extension: [
            {
              url: 'http://hl7.org/fhir/StructureDefinition/data-absent-reason',
              valueCode: 'unknown',
            },
          ],
        },
        subject: { reference: 'Patient/amy', type: 'Patient' },
      },
    ],
  ])('%s', async (type, id, elements) => {
    const { status, json, headers } = await clinic.get(`/${type}/${id}`);
    expect([status, json]).toEqual([200, { resourceType: type, id, ...elements }]);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'x-request-id': 'test',
    });
    expect((await clinic.send('HEAD', `/${type}/${id}`)).status).toBe(200);
    expectNotFound(await clinic.get(`/${type}/nobody`), type, 'nobody');
  });
  test('an undivided name is not split', async () => {
    await clinic.records.directory.put('Practitioner', { id: 'bo', lastName: 'Bo Diddley' });
    expect((await clinic.get('/Practitioner/bo')).json.name).toEqual([{ text: 'Bo Diddley' }]);
  });
  test('a note is not a FHIR resource', async () => {
    expectError(await clinic.get('/Note/note-amy'), 404);
  });
  test('they are only read and searched, and encounters only read', async () => {
    for (const method of ['PUT', 'PATCH', 'DELETE']) {
      const answer = await clinic.send(method, '/Patient/amy', { body: '{}' });
      expectError(answer, 405);
      expect(answer.headers.allow).toBe('GET, HEAD');
    }
    for (const path of ['/Encounter', '/Patient/amy/_history', '/Patient/amy/_history/1']) {
      expectError(await clinic.get(path), 405);
    }
  });
  test('a person whom only `resolve` knows is read, and nothing is stored', async () => {
    const store = createMemoryStore();
    const records = createRecords(store, {
      resolve: {
        Patient: (id) => (id === 'zoe' ? { id, lastName: 'Zed', firstName: 'Zoe' } : null),
        Encounter: (id) => ({ id, patientId: id }),
      },
    });
    const send = createSender(createHandler(records));
    expect((await send('GET', '/Patient/zoe')).json.name).toEqual([{ family: 'Zed', given: ['Zoe'] }]);
    expect((await send('GET', '/Encounter/zoe')).json.subject.reference).toBe('Patient/zoe');
    // The host knows its encounter, and does not know the patient of it.
    expectNotFound(await send('GET', '/Encounter/yul'), 'Encounter', 'yul');
    expect(await store.read({ type: 'Patient', id: 'zoe' })).toMatchObject({ right: null });
  });
  test('under a `patient/` scope: the patient, the encounters of the chart, and everybody who works there', async () => {
    const send = createSender(
      createHandler(clinic.records, { authenticate: () => inAmysChart('patient/*.rs') }),
    );
    for (const path of ['/Patient/amy', '/Encounter/visit-amy', '/Practitioner/ada', '/Organization/lab']) {
      expect([path, (await send('GET', path)).status]).toEqual([path, 200]);
    }
    expectError(await send('GET', '/Patient/ben'), 403);
    expect(await send('GET', '/Patient/nobody')).toEqual(await send('GET', '/Patient/ben'));
    expectNotFound(await send('GET', '/Encounter/visit-ben'), 'Encounter', 'visit-ben');
  });
  test('in TypeScript, too', async () => {
    const { directory } = clinic.records;
    expect(await directory.readResource('Organization', 'lab')).toEqual({
      resourceType: 'Organization',
      id: 'lab',
      name: 'Lab Ltd',
    });
    const outcomes = [
      directory.readResource('Patient', 'ben', { within: 'amy' }),
      directory.readResource('Practitioner', 'ada', { within: '' }),
      directory.readResource('Encounter', 'visit-ben', { within: 'amy' }),
    ];
    expect(await Promise.all(outcomes.map((outcome) => outcomeOf(outcome)))).toMatchObject([
      { left: { _tag: 'Forbidden' } },
      { left: { _tag: 'Forbidden' } },
      { left: { _tag: 'NotFound', id: 'visit-ben' } },
    ]);
  });
});

describe('a host that answers for types', () => {
  const patientOf = (id: string) => ({
    resourceType: 'Patient',
    id,
    gender: 'female',
    birthDate: '1970-01-01',
  });
  const amys = { reference: 'Patient/amy' };
  const bens = { reference: 'Patient/ben' };
  const resources: Readonly<Record<string, object>> = {
    'Patient/amy': patientOf('amy'),
    'Patient/ben': patientOf('ben'),
    'Condition/cold': { resourceType: 'Condition', id: 'cold', subject: amys },
    'Condition/flu': { resourceType: 'Condition', id: 'flu', subject: bens },
    'Condition/both': { resourceType: 'Condition', id: 'both', subject: amys, patient: bens },
    'Condition/none': { resourceType: 'Condition', id: 'none' },
    'Device/pump': { resourceType: 'Device', id: 'pump', patient: amys },
    'Device/lamp': { resourceType: 'Device', id: 'lamp' },
    'Location/room': { resourceType: 'Location', id: 'room', name: 'Room 1' },
    'Condition/wrong-type': { resourceType: 'Patient', id: 'wrong-type' },
    'Condition/wrong-id': { resourceType: 'Condition', id: 'cold' },
    'Condition/no-id': { resourceType: 'Condition' },
  };
  const read = vi.fn<HostResources['read']>(async (type, id) => {
    if (id === 'unplugged')
      throw new ClinicalRecordsError({ _tag: 'Unavailable', message: 'gone', cause: null });
    if (id === 'broken') throw new Error('The table of Amy Shaw is gone.');
    return (resources[`${type}/${id}`] ?? null) as ReturnType<HostResources['read']>;
  });
  const hostResources: HostResources = { types: ['Patient', 'Condition', 'Device', 'Location'], read };
  const onError = vi.fn();
  const sendAs = (principal: Principal) =>
    createSender(createHandler(clinic.records, { authenticate: () => principal, hostResources, onError }));
  const sendWith = (scopes: Principal['scopes']) => sendAs({ subject: 'Person/x', scopes });

  test('is asked for its types, and the directory for the others', async () => {
    const send = sendWith('user/*.r');
    for (const type of ['Patient/amy', 'Condition/cold', 'Location/room']) {
      const { status, json, headers } = await send('GET', `/${type}`);
      expect([status, json]).toEqual([200, resources[type]]);
      expect(headers['cache-control']).toBe('no-store');
    }
    expect((await send('GET', '/Organization/lab')).json.name).toBe('Lab Ltd');
    const { json } = await send('GET', '/openapi.json');
    expect(json.paths).toHaveProperty(['/Condition/{id}', 'get']);
  });
  test('may have no such resource, and is not asked for what is not an id', async () => {
    const send = sendWith('user/*.r');
    expectNotFound(await send('GET', '/Condition/nothing'), 'Condition', 'nothing');
    read.mockClear();
    expectNotFound(await send('GET', '/Condition/a%2Fb'), 'Condition', 'a/b');
    expect(read).not.toHaveBeenCalled();
  });
  test('that fails, or returns another resource, is a 500 that says nothing of it', async () => {
    const send = sendWith('user/*.r');
    for (const id of ['broken', 'wrong-type', 'wrong-id', 'no-id']) {
      onError.mockClear();
      const answer = await send('GET', `/Condition/${id}`);
      expectError(answer, 500);
      expect(answer.text).not.toContain('Amy');
      expect(onError).toHaveBeenCalledOnce();
    }
  });
  test('can use the reads of the library, whose errors become the response', async () => {
    const { directory } = clinic.records;
    const host: HostResources = {
      types: ['Patient', 'Condition'],
      read: async (type, id, limit) =>
        type === 'Patient' ? directory.readResource('Patient', id, limit) : read(type, id, limit),
    };
    const send = createSender(createHandler(clinic.records, { hostResources: host, onError }));
    expect((await send('GET', '/Patient/amy')).json.name).toEqual([{ family: 'Shaw', given: ['Amy'] }]);
    expectNotFound(await send('GET', '/Patient/nobody'), 'Patient', 'nobody');
    onError.mockClear();
    expectError(await send('GET', '/Condition/unplugged'), 503);
    expect(onError).toHaveBeenCalledOnce();
  });
  test('is not asked for what the scopes do not grant', async () => {
    read.mockClear();
    for (const scopes of ['user/Goal.rs', 'user/Condition.s', 'user/Patients.r', '']) {
      expectError(await sendWith(scopes)('GET', '/Condition/cold'), 403);
    }
    expect(read).not.toHaveBeenCalled();
    expect((await sendWith(['user/Condition.r'])('GET', '/Condition/cold')).status).toBe(200);
  });
  test('shows only one chart under a `patient/` scope, and what belongs to no patient', async () => {
    const send = sendAs(inAmysChart('patient/*.r'));
    for (const path of ['/Patient/amy', '/Condition/cold', '/Device/pump', '/Location/room']) {
      expect([path, (await send('GET', path)).status]).toEqual([path, 200]);
    }
    expect(read).toHaveBeenLastCalledWith('Location', 'room', { within: 'amy' });
    for (const path of ['Condition/flu', 'Condition/both', 'Condition/none', 'Device/lamp']) {
      const [type = '', id = ''] = path.split('/');
      expectNotFound(await send('GET', `/${path}`), type, id);
    }
    read.mockClear();
    expectError(await send('GET', '/Patient/ben'), 403);
    expect(read).not.toHaveBeenCalled();
  });
  test.each<[string, unknown]>([
    ['read must be a function', { types: ['Patient'] }],
    ['types must be an array', { types: 'Patient', read }],
    ['types must be an array', { types: ['Patient/7'], read }],
    ['types must have each type once', { types: ['Goal'], read }],
    ['types must have each type once', { types: ['Patient', 'Patient'], read }],
  ])('is refused at once if it is wrong: %s', (message, wrong) => {
    expect(() => createHandler(clinic.records, { hostResources: wrong as HostResources })).toThrow(message);
  });
});
