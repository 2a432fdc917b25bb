import { describe, expect, test } from 'vitest';
import {
  ada,
  enteredInError,
  immunizationStatement,
  immunize,
  leadExtension,
  noteIdExtension,
  participant,
  statement,
  team,
} from '../../builders.ts';
import { cardiologist, nurse, type RequestOptions } from '../../clinic.ts';
import { expectError, expectNotFound, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Status codes', (clinic) => {
  const put = (body: unknown, sent: RequestOptions = {}) => clinic().put('/CareTeam/amy', body, sent);
  const post = (fields: object) => clinic().post('/Immunization', statement(fields));

  test('no token, bad token, expired token; on any path but those of the descriptions of the interface: 401, with `WWW-Authenticate: Bearer`', async () => {
    expect((await clinic().get('/openapi.json', { token: null })).status).toBe(200);
    for (const token of [null, 'bad']) {
      for (const path of ['/Goal', '/Goal/x', '/nothing', '/CareTeam/_search']) {
        const answer = await clinic().get(path, { token });
        expectError(answer, 401);
        expect(answer.headers['www-authenticate']).toBe('Bearer');
      }
    }
  });

  test('token without the scope for this interaction, and the request names another patient under a `patient/` scope: 403', async () => {
    expectError(await put({ id: 'amy' }, { token: 'reader' }), 403);
    expectError(await clinic().get('/CareTeam/ben', { token: 'amy' }), 403);
  });

  describe('400', () => {
    test.each(['', '{', 'null,', '{"id":"amy",}', "{'id':'amy'}", '\u0000'])(
      'body is not JSON: %j',
      async (body) => {
        expectError(await put(body), 400);
      },
    );
    test.each(['null', '[]', '"amy"', '7', 'true'])('body is not an object: %s', async (body) => {
      expectError(await put(body), 400, 'CareTeam');
    });
    test('body misses a required element', async () => {
      expectError(await put({}), 400, 'CareTeam.id');
    });
    test.each([
      [{ id: 7 }, 'id'],
      [{ id: 'amy', participant: {} }, 'participant'],
      [{ id: 'amy', participant: [null] }, 'participant[0]'],
      [{ id: 'amy', subject: 'Patient/amy' }, 'subject'],
      [{ id: 'amy', participant: null }, 'participant'],
    ])('has a wrong type: %j', async (body, element) => {
      expectError(await put(body), 400, `CareTeam.${element}`);
    });
    test('an empty string', async () => {
      expectError(await put({ id: 'amy', name: '' }), 400, 'CareTeam.name');
      const coding = [{ system: 'unstructured', code: ' ' }];
      expectError(await post({ vaccineCode: { coding } }), 400, 'Immunization.vaccineCode.coding[0].code');
    });
    test('an enum value or URL outside the listed ones', async () => {
      expectError(await put({ id: 'amy', status: 'gone' }), 400, 'CareTeam.status');
      expectError(
        await post({ extension: [{ url: 'https://elsewhere.example/note-id', valueId: 'note-amy' }] }),
        400,
        'Immunization.extension[0].url',
      );
    });
    test('id in path and body differ', async () => {
      expectError(await put({ id: 'ben' }), 400, 'CareTeam.id');
      expectError(await clinic().put('/Immunization/a', enteredInError('b')), 400, 'Immunization.id');
    });
    test.each([
      ...[
        'amy',
        'Patient/',
        '/amy',
        'Patient/amy/1',
        'patient/amy',
        'Patient/a b',
        'Group/amy',
        'Patient/',
        '#amy',
      ],
      ...['https://clinic.example/fhir/Patient/amy', 'urn:uuid:9d4a3c5e-8d7d-4a57-8f0c-0b6f0e1f8a51'],
    ])('reference not of the form `Type/id`: %s', async (reference) => {
      expectError(await post({ patient: { reference } }), 400, 'Immunization.patient.reference');
    });
    test('search parameter unknown', async () => {
      expectError(await clinic().get('/Goal?pateint=amy'), 400, 'http.pateint');
    });
    test.each(['_count', '_offset'])('repeated where it makes no sense: %s', async (name) => {
      expectError(await clinic().get(`/Goal?${name}=1&${name}=2`), 400, `http.${name}`);
    });
    test.each([
      ['Goal', '_id', 'a b'],
      ['Goal', '_id', ''],
      ['Goal', 'patient', 'Practitioner/ada'],
      ['Goal', 'patient', ''],
      ['ServiceRequest', 'authored', 'yesterday'],
      ['ServiceRequest', 'authored', 'in2026'],
      ['ServiceRequest', 'code', 'a|b|c'],
      ['ServiceRequest', 'category', '|'],
      ['ServiceRequest', 'status', 'gone'],
      ['CareTeam', 'participant', 'Patient/amy'],
      ['CareTeam', 'status', 'gone'],
    ])('or with a value outside its grammar: %s?%s=%s', async (type, name, value) => {
      const query = new URLSearchParams({ [name]: value });
      expectError(await clinic().get(`/${type}?${query}`), 400, `http.${name}`);
    });
  });

  test('read of an id that does not exist; CareTeam PUT for an unknown patient: 404', async () => {
    expectNotFound(await clinic().get('/CareTeam/none'), 'CareTeam', 'none');
    expectNotFound(await clinic().put('/CareTeam/none', { id: 'none' }), 'CareTeam', 'none');
  });

  describe('method the resource type does not have (POST /CareTeam, DELETE anything, PUT /Goal/x …), with `Allow`', () => {
    test.each([
      ['POST', '/CareTeam', 'GET, HEAD'],
      ['PUT', '/Goal/x', 'GET, HEAD'],
      ['PATCH', '/Goal/x', 'GET, HEAD'],
      ['POST', '/ServiceRequest', 'GET, HEAD'],
      ['DELETE', '/ServiceRequest/x', 'GET, HEAD'],
      ['DELETE', '/CareTeam/amy', 'GET, HEAD, PUT'],
      ['DELETE', '/Immunization', 'GET, HEAD, POST'],
      ['DELETE', '/Immunization/x', 'GET, HEAD, PUT'],
      ['GET', '/Goal/_search', 'POST'],
    ])('%s %s', async (method, path, allow) => {
      const answer = await clinic().send(method, path, { body: {} });
      expectError(answer, 405);
      expect(answer.headers.allow).toBe(allow);
    });
  });

  describe('405', () => {
    const mark = (id: string, status = 'entered-in-error') =>
      clinic().put(`/Immunization/${id}`, statement({ id, status }));
    test('Immunization POST with `primarySource: true` (that would be an Immunize command)', async () => {
      expectError(await post({ primarySource: true }), 405, 'Immunization.primarySource');
    });
    test('PUT with a status other than entered-in-error', async () => {
      await clinic().record(immunizationStatement());
      expectError(await mark('shot', 'completed'), 405, 'Immunization.status');
    });
    test('PUT on a record that an Immunize command made', async () => {
      await clinic().record(immunize());
      expectError(await mark('shot'), 405, 'Immunization.primarySource');
    });
    test('PUT on an id that does not exist (the server accepts no ids made by clients)', async () => {
      expectError(await mark('none'), 405, 'Immunization.id');
    });
    test('If the id of a PUT is refused with 405, `Allow` does not list PUT; if the body is refused, it does', async () => {
      await clinic().record(immunizationStatement());
      await clinic().record(immunize({ id: 'given' }));
      const put = (id: string) => clinic().put(`/CareTeam/${id}`, { id });
      const answers = [await put('amy.inactive'), await mark('none'), await mark('given')];
      const ofBodies = [await mark('shot', 'completed'), await post({ primarySource: true })];
      expect([...answers, ...ofBodies].map(({ status, headers }) => [status, headers.allow])).toEqual([
        [405, 'GET, HEAD'],
        [405, 'GET, HEAD'],
        [405, 'GET, HEAD'],
        [405, 'GET, HEAD, PUT'],
        [405, 'GET, HEAD, POST'],
      ]);
    });
    test('No other refusal has an `Allow`', async () => {
      for (const { headers } of [await clinic().get('/Goal/none'), await put({ id: 'ben' })]) {
        expect(headers).not.toHaveProperty('allow');
      }
    });
    test('CareTeam PUT on an id with a `.status` suffix', async () => {
      for (const id of ['amy.active', 'amy.inactive', 'none.proposed']) {
        expectError(await clinic().put(`/CareTeam/${id}`, { id }), 405, 'CareTeam.id');
      }
    });
  });

  describe('412', () => {
    const headersOf = async () => (await clinic().get('/CareTeam/amy')).headers;
    test("`If-Unmodified-Since` earlier than the team's last modification, compared in whole seconds", async () => {
      clinic().clock.at('2026-03-05T10:00:00.900Z');
      await put(team(ada));
      const modified = (await headersOf())['last-modified'];
      expect(modified).toBe('Thu, 05 Mar 2026 10:00:01 GMT');
      const since = (time = '') => put({ id: 'amy' }, { headers: { 'if-unmodified-since': time } });
      expectError(await since('Thu, 05 Mar 2026 10:00:00 GMT'), 412);
      expectNullBody(await since(modified), 200);
    });
    test('`If-Match` with another version', async () => {
      const { etag = '' } = await headersOf();
      await put(team(ada));
      expectError(await put({ id: 'amy' }, { headers: { 'if-match': etag } }), 412);
      const newer = (await headersOf()).etag ?? '';
      expectNullBody(await put({ id: 'amy' }, { headers: { 'if-match': `${etag}, ${newer}` } }), 200);
    });
  });

  describe('422', () => {
    test.each(['entered-in-error', 'not-done'])(
      'Immunization POST with status entered-in-error or not-done: %s',
      async (status) => {
        expectError(await post({ status }), 422, 'Immunization.status');
      },
    );
    test.each([
      ['patient', { patient: { reference: 'Patient/none' } }, 'patient'],
      ['encounter', { encounter: { reference: 'Encounter/none' } }, 'encounter'],
      ['note', { extension: noteIdExtension('none') }, 'extension[0]'],
      ["encounter, another patient's", { encounter: { reference: 'Encounter/visit-ben' } }, 'encounter'],
      ["note, another patient's", { extension: noteIdExtension('note-ben') }, 'extension[0]'],
    ])(
      'patient, practitioner, organization, encounter or note that does not exist or belongs to another patient: %s',
      async (_, fields, element) => {
        expectError(await post(fields), 422, `Immunization.${element}`);
      },
    );
    test.each(['Practitioner/none', 'Organization/none'])('and %s', async (reference) => {
      expectError(await put(team(participant(reference, nurse))), 422, 'CareTeam.participant[0].member');
    });
    test('note-id and encounter that name different notes', async () => {
      const { directory } = clinic().records;
      await directory.put('Encounter', { id: 'call', patientId: 'amy' });
      await directory.put('Note', { id: 'of-call', patientId: 'amy', encounterId: 'call' });
      const encounter = { reference: 'Encounter/visit-amy' };
      expectError(
        await post({ extension: noteIdExtension('of-call'), encounter }),
        422,
        'Immunization.extension[0]',
      );
    });
    test('role not configured', async () => {
      const role = { ...cardiologist, system: 'http://elsewhere.example' };
      expectError(
        await put(team(participant('Practitioner/ada', role))),
        422,
        'CareTeam.participant[0].role',
      );
    });
    test('the CareTeam rules 3 to 6', async () => {
      const ada = participant('Practitioner/ada', cardiologist, leadExtension(true));
      const at = (...elements: string[]) => elements.map((element) => `CareTeam.participant${element}`);
      expectError(
        await put(team(ada, participant('Practitioner/ada', nurse))),
        422,
        ...at('[0].member', '[1].member'),
      );
      expectError(
        await put(team(ada, participant('Practitioner/bob', cardiologist))),
        422,
        ...at('[0].role', '[1].role'),
      );
      expectError(
        await put(team(participant('Organization/lab', null, leadExtension(true)))),
        422,
        ...at('[0].extension'),
      );
      const bob = participant('Practitioner/bob', nurse, leadExtension(true));
      expectError(await put(team(ada, bob)), 422, ...at('[0].extension', '[1].extension'));
    });
    test('`subject` not the patient in the path', async () => {
      expectError(await put({ id: 'amy', subject: { reference: 'Patient/ben' } }), 422, 'CareTeam.subject');
    });
  });
});
