import { resourceTypes } from '@clinical-records/core/adapter';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Scope } from '../../../src/index.ts';
import { enteredInError, immunize, noteIdExtension, oneCommandOfEach, statement } from '../../builders.ts';
import { createSenderAs } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { cursorOf, expectError, idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore("another patient's chart under a `patient/` scope", (clinic) => {
  const send = (method: string, path: string, body?: unknown) =>
    clinic().send(method, path, { token: 'amy', body });

  beforeEach(async () => {
    for (const patientId of ['amy', 'ben']) {
      for (const command of oneCommandOfEach({ id: patientId, patientId })) await clinic().record(command);
    }
  });

  describe.each(resourceTypes)('%s', (type) => {
    test('reads: a 200 in the own chart', async () => {
      expect((await send('GET', `/${type}/amy`)).status).toBe(200);
    });
    test('A `patient/` scope limits every search to its chart; a search for another chart is a 403', async () => {
      const answer = await send('GET', `/${type}`);
      expect([idsOf(answer), answer.json.total]).toEqual([['amy'], 1]);
      expect(idsOf(await send('POST', `/${type}/_search`))).toEqual(['amy']);
      expect(idsOf(await send('GET', `/${type}?patient=Patient/amy`))).toEqual(['amy']);
      expect(idsOf(await send('GET', `/${type}?_count=1&_offset=0`))).toEqual(['amy']);
      expectError(await send('GET', `/${type}?patient=Patient/ben`), 403);
      expectError(await send('GET', `/${type}?patient=amy,ben`), 403);
    });
    test('whatever other parameters the search has', async () => {
      // The id of a care team names its patient.
      if (type === 'CareTeam') expectError(await send('GET', '/CareTeam?_id=amy,ben.inactive'), 403);
      const query = type === 'CareTeam' ? 'status=active' : '_id=amy,ben';
      expect(idsOf(await clinic().get(`/${type}?${query}`))).toEqual(['amy', 'ben']);
      expect(idsOf(await send('GET', `/${type}?${query}`))).toEqual(['amy']);
    });
    test('One that names a record of another chart is treated as one that names no record: an `_after` reveals nothing', async () => {
      const refused = await send('GET', `/${type}?_after=${cursorOf('ben')}`);
      expectError(refused, 400, 'http._after');
      expect(await send('GET', `/${type}?_after=${cursorOf('nobody')}`)).toEqual(refused);
      expect(idsOf(await send('GET', `/${type}?_after=${cursorOf('amy')}`))).toEqual([]);
      const next = (await clinic().get(`/${type}?_count=1`)).json.link.find(
        ({ relation }: { relation: string }) => relation === 'next',
      );
      expect(idsOf(await send('GET', `/${next.url}`))).toEqual([]);
    });
  });

  test('writes: nothing is written', async () => {
    const body = enteredInError('ben', { patient: { reference: 'Patient/ben' } });
    expectError(await send('PUT', '/CareTeam/ben', { id: 'ben' }), 403);
    expectError(await send('POST', '/Immunization', { ...body, status: 'completed' }), 403);
    expectError(await send('PUT', '/Immunization/ben', body), 405, 'Immunization.id');
    const { json } = await clinic().get('/Immunization?patient=ben');
    expect([json.total, json.entry[0].resource.status]).toEqual([1, 'completed']);
  });

  test('in the own chart, too, a scope grants what it names and nothing else', async () => {
    const as = (...scopes: Scope[]) => createSenderAs(clinic(), { scopes, patient: 'amy' });
    const readsGoals = as('patient/Goal.rs');
    expect((await readsGoals('GET', '/Goal/amy')).status).toBe(200);
    expectError(await readsGoals('GET', '/Immunization/amy'), 403);
    expectError(await as('patient/*.rs')('PUT', '/CareTeam/amy', { body: { id: 'amy' } }), 403);
    for (const type of resourceTypes) expectError(await as()('GET', `/${type}`), 403);
  });

  describe('Under a `patient/` scope, a record of another chart is treated as one that does not exist', () => {
    const inBens = { patient: { reference: 'Patient/ben' }, encounter: { reference: 'Encounter/visit-ben' } };
    type Row = [endpoint: string, status: number, method: string, path: string, fields?: object];
    const at = (type: string): Row => [`GET /${type}/{id}`, 404, 'GET', `/${type}/`];
    const rows: readonly Row[] = [
      ...resourceTypes.filter((type) => type !== 'CareTeam').map(at),
      ['PUT /Immunization/{id}', 405, 'PUT', '/Immunization/', {}],
      ['PUT /Immunization/{id} with the patient it has', 405, 'PUT', '/Immunization/', inBens],
    ];
    test.each<Row>(rows)('%s: %i', async (_endpoint, status, method, path, fields) => {
      await clinic().record(immunize({ id: 'given', patientId: 'ben' }));
      await clinic().stage(immunize({ id: 'planned', patientId: 'ben' }));
      const answerTo = async (id: string) => {
        const { headers, text, ...answer } = await send(
          method,
          path + id,
          fields && enteredInError(id, fields),
        );
        return { ...answer, headers, text: text.replaceAll(`'${id}'`, "'id'"), json: undefined };
      };
      const unknown = await answerTo('nobody');
      expect(unknown.status).toBe(status);
      for (const id of ['ben', 'given', 'planned']) expect(await answerTo(id)).toEqual(unknown);
    });
    test('a history, from TypeScript', async () => {
      const { goals, serviceRequests, immunizations } = clinic().records;
      for (const { history } of [goals, serviceRequests, immunizations]) {
        const outcomes = await Promise.all(
          ['ben', 'nobody'].map((id) => outcomeOf(history(id, { within: 'amy' }))),
        );
        expect(outcomes).toMatchObject(['ben', 'nobody'].map((id) => ({ left: { _tag: 'NotFound', id } })));
      }
    });
  });

  describe('A request that names another patient is a 403, whether or not that patient exists', () => {
    const postFor = (id: string) => statement({ patient: { reference: `Patient/${id}` } });
    type Row = [what: string, method: string, path: (id: string) => string, body?: (id: string) => object];
    const rows: readonly Row[] = [
      ['a read of a care team', 'GET', (id) => `/CareTeam/${id}`],
      ['a read of a team of another status', 'GET', (id) => `/CareTeam/${id}.inactive`],
      ['an update of a care team', 'PUT', (id) => `/CareTeam/${id}`, (id) => ({ id })],
      ['a new immunization', 'POST', () => '/Immunization', postFor],
      ...resourceTypes.map((type): Row => [`a search of ${type}`, 'GET', (id) => `/${type}?patient=${id}`]),
    ];
    test.each<Row>(rows)('%s', async (_what, method, path, bodyOf) => {
      const before = await clinic().feed();
      const [bens, nobodys] = await Promise.all(
        ['ben', 'nobody'].map((id) => send(method, path(id), bodyOf?.(id))),
      );
      expect(bens?.status).toBe(403);
      expect(nobodys).toEqual(bens);
      expect(await clinic().feed()).toEqual(before);
    });
  });

  test('writes in the own chart', async () => {
    expect((await send('PUT', '/CareTeam/amy', { id: 'amy' })).status).toBe(200);
    expect((await send('POST', '/Immunization', statement())).status).toBe(201);
    expect((await send('PUT', '/Immunization/amy', enteredInError('amy'))).status).toBe(200);
  });

  test('a note or an encounter of another patient does not open the chart of that patient', async () => {
    const answer = await send(
      'POST',
      '/Immunization',
      statement({ encounter: { reference: 'Encounter/visit-ben' } }),
    );
    expectError(answer, 422, 'Immunization.encounter');
  });

  test('Under a `patient/` scope, a note or an encounter of another patient is treated as one that does not exist', async () => {
    const answerTo = async (note: string, encounter: string, fields: object = {}) => {
      const body = statement({
        extension: noteIdExtension(note),
        encounter: { reference: `Encounter/${encounter}` },
        ...fields,
      });
      return await send('POST', '/Immunization', body);
    };
    for (const fields of [{}, { status: 'not-done' }]) {
      const none = await answerTo('none', 'none', fields);
      expect(none.status).toBe(422);
      for (const [note, encounter] of [
        ['note-ben', 'visit-ben'],
        ['note-ben', 'none'],
        ['none', 'visit-ben'],
      ] as const) {
        expect(await answerTo(note, encounter, fields)).toEqual(none);
      }
    }
    expect(await answerTo('note-ben', 'visit-amy')).toEqual(await answerTo('none', 'visit-amy'));
    expect(await answerTo('note-amy', 'visit-ben')).toEqual(await answerTo('note-amy', 'none'));
  });

  test('an issue in the own chart is reported as it is', async () => {
    await clinic().records.directory.put('Note', { id: 'other', patientId: 'amy' });
    const body = statement({
      extension: noteIdExtension('other'),
      encounter: { reference: 'Encounter/visit-amy' },
    });
    const differing = await send('POST', '/Immunization', body);
    expectError(differing, 422, 'Immunization.extension[0]');
    expect(differing.json.issue[0].diagnostics).toBe('The note does not belong to the encounter.');
    const unknown = await sendingFor('nobody')('POST', '/Immunization', {
      body: statement({ patient: { reference: 'Patient/nobody' } }),
    });
    expectError(unknown, 422, 'Immunization.patient');
    expect(unknown.json.issue[0].diagnostics).toBe('There is no such patient.');
  });

  test('a representation is returned only to callers who may read: others get null', async () => {
    const scopes: readonly Scope[] = ['user/CareTeam.u', 'user/Immunization.cu'];
    const writer = createSenderAs(clinic(), { scopes });
    const readerOfAnother = createSenderAs(clinic(), { scopes: [...scopes, 'patient/*.rs'], patient: 'ben' });
    const headers = { prefer: 'return=representation' };
    const body = enteredInError('amy');
    for (const [method, path, sent] of [
      ['PUT', '/CareTeam/amy', { id: 'amy' }],
      ['PUT', '/Immunization/amy', body],
      ['POST', '/Immunization', { ...body, status: 'completed' }],
    ] as const) {
      for (const send of [writer, readerOfAnother]) {
        expect((await send(method, path, { body: sent, headers })).text).toBe('null');
      }
      for (const token of ['full', 'amy']) {
        const { json } = await clinic().send(method, path, { token, body: sent, headers });
        expect(json.resourceType).toBe(path.split('/')[1]);
      }
    }
  });

  const sendingFor = (patient: unknown) =>
    createSenderAs(clinic(), { scopes: ['patient/*.*'], patient: patient as string });

  describe('A `patient/` scope without the id of a patient grants nothing', () => {
    test.each([
      undefined,
      null,
      7,
      '',
      ' ',
      'Patient/',
      'Patient/amy/',
      'Practitioner/amy',
      'a b',
      'amy,ben',
    ])('%j', async (patient) => {
      expectError(await sendingFor(patient)('GET', '/Goal/amy'), 403);
      expectError(await sendingFor(patient)('GET', '/Goal'), 403);
      expectError(await sendingFor(patient)('PUT', '/CareTeam/amy', { body: { id: 'amy' } }), 403);
    });
    test('while Patient/amy is the same as amy', async () => {
      const send = sendingFor('Patient/amy');
      expect((await send('GET', '/Goal/amy')).status).toBe(200);
      expect(idsOf(await send('GET', '/Goal'))).toEqual(['amy']);
      expectError(await send('GET', '/CareTeam/ben'), 403);
    });
    test('and from TypeScript, a search within an invalid id is refused, and does not return an empty bundle', async () => {
      for (const within of ['', 'Patient/amy']) {
        await expect(async () => clinic().records.goals.search({}, { within })).rejects.toThrow('Forbidden');
      }
    });
  });
});
