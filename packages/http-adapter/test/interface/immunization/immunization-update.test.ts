import { beforeEach, describe, expect, test } from 'vitest';
import { cvx, enteredInError, immunize, influenza, noteIdExtension, statement } from '../../builders.ts';
import type { RequestOptions } from '../../clinic.ts';
import { expectError, expectNullBody, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Immunization, PUT', (clinic) => {
  const record = (fields: Parameters<typeof immunize>[0] = {}) => clinic().record(immunize(fields));
  const body = (fields: object = {}) => enteredInError('shot', fields);
  const put = (sent: unknown = body(), options: RequestOptions = {}, id = 'shot') =>
    clinic().put(`/Immunization/${id}`, sent, options);
  const read = async () => (await clinic().get('/Immunization/shot')).json;

  beforeEach(async () => {
    await record({ kind: 'immunizationStatement', note: [{ text: 'Left arm' }] });
  });

  test('update (only to mark a record entered-in-error): 200 with a null body', async () => {
    expectNullBody(await put(), 200);
    expect((await read()).status).toBe('entered-in-error');
  });
  test('update (only to mark a record entered-in-error): anything else is refused', async () => {
    const before = await read();
    for (const status of ['completed', 'not-done']) {
      expectError(await put(body({ status })), 405, 'Immunization.status');
    }
    expect(await read()).toEqual(before);
  });

  test('Changes to any other field are not processed', async () => {
    const before = await read();
    const changed = body({
      vaccineCode: { coding: [{ system: cvx, code: '1' }] },
      occurrenceDateTime: '1999-01-01',
      primarySource: true,
      note: [{ text: 'Right arm' }],
    });
    expectNullBody(await put(changed), 200);
    expect(withoutMeta(await read())).toEqual({ ...withoutMeta(before), status: 'entered-in-error' });
  });
  test.each([
    ['patient', { patient: { reference: 'Patient/ben' } }],
    ['encounter', { encounter: { reference: 'Encounter/visit-ben' } }],
    ['extension[0]', { extension: noteIdExtension('note-ben') }],
  ])(
    'Changes to any other field are not processed: refused if it is the %s of another record',
    async (element, fields) => {
      const before = await read();
      expectError(await put(body(fields)), 422, `Immunization.${element}`);
      expect(await read()).toEqual(before);
    },
  );

  describe('all required fields must still be supplied', () => {
    test.each(['status', 'vaccineCode', 'patient', 'occurrenceDateTime', 'primarySource'])(
      'refused without %s',
      async (field) => {
        expectError(await put(body({ [field]: undefined })), 400, `Immunization.${field}`);
        expect((await read()).status).toBe('completed');
      },
    );
  });

  describe('PUT body: same fields as POST, with these differences', () => {
    const coding = (fields: object) => ({ vaccineCode: { coding: [{ ...influenza, ...fields }] } });
    test.each<[string, object]>([
      ['vaccineCode', { vaccineCode: 'influenza' }],
      ['vaccineCode.coding', { vaccineCode: {} }],
      ['vaccineCode.coding', { vaccineCode: { coding: [] } }],
      ['vaccineCode.coding[0].system', coding({ system: undefined })],
      ['vaccineCode.coding[0].system', coding({ system: 'http://hl7.org/fhir/sid/ndc' })],
      ['vaccineCode.coding[0].code', coding({ code: undefined })],
      ['vaccineCode.coding[0].code', coding({ code: 140 })],
      ['vaccineCode.coding[0].display', coding({ display: 140 })],
      ['patient', { patient: 'Patient/amy' }],
      ['patient.reference', { patient: {} }],
      ['patient.reference', { patient: { reference: 'amy' } }],
      ['patient.reference', { patient: { reference: 'Practitioner/amy' } }],
      ['patient.type', { patient: { reference: 'Patient/amy', type: 'Practitioner' } }],
      ['encounter.reference', { encounter: {} }],
      ['encounter.reference', { encounter: { reference: 'Note/note-amy' } }],
      ['encounter.type', { encounter: { reference: 'Encounter/visit-amy', type: 'Note' } }],
      ['occurrenceDateTime', { occurrenceDateTime: 'last autumn' }],
      ['occurrenceDateTime', { occurrenceDateTime: '2025-02-29' }],
      ['occurrenceDateTime', { occurrenceDateTime: '2025-10-01T08:30:00' }],
      ['occurrenceDateTime', { occurrenceDateTime: '2025-10-01T09:30:00.1234567890Z' }],
      ['occurrenceDateTime', { occurrenceDateTime: 2025 }],
      ['primarySource', { primarySource: 'false' }],
      ['extension[0].url', { extension: [{ valueId: 'note-amy' }] }],
      ['extension[0].url', { extension: [{ url: 'note-id', valueId: 'note-amy' }] }],
      ['extension[0].valueId', { extension: noteIdExtension('x').map(({ url }) => ({ url })) }],
      ['note', { note: 'Left arm' }],
      ['note[0].text', { note: [{}] }],
      ['resourceType', { resourceType: 'Observation' }],
    ])('%s: %j', async (element, fields) => {
      expectError(await put(body(fields)), 400, `Immunization.${element}`);
      expect((await read()).status).toBe('completed');
    });
  });

  test('The encounter description is: the encounter related to the note in the extension', async () => {
    const { extension, encounter } = await read();
    expect([extension, encounter.reference]).toEqual([noteIdExtension('note-amy'), 'Encounter/visit-amy']);
    expectNullBody(await put(body({ extension, encounter })), 200);
  });
  test('The encounter description is: the encounter related to the note in the extension: another encounter of the patient is refused', async () => {
    await clinic().records.directory.put('Encounter', { id: 'call', patientId: 'amy' });
    const encounter = { reference: 'Encounter/call' };
    for (const extension of [undefined, noteIdExtension('note-amy')]) {
      expectError(await put(body({ encounter, extension })), 422, 'Immunization.encounter');
    }
    expect((await read()).status).toBe('completed');
  });

  describe('an Immunization PUT that names another patient, note or encounter than the record has', () => {
    const [patient, encounter] = [{ reference: 'Patient/ben' }, { reference: 'Encounter/visit-ben' }];
    const extension = noteIdExtension('note-ben');
    test.each<[string, object, ...string[]]>([
      ['the patient', { patient }, 'patient'],
      ['a patient who does not exist', { patient: { reference: 'Patient/nobody' } }, 'patient'],
      ['the encounter', { encounter }, 'encounter'],
      ['the note', { extension }, 'extension[0]'],
      ['all of them', { patient, encounter, extension }, 'patient', 'extension[0]', 'encounter'],
    ])('%s', async (_what, fields, ...elements) => {
      const answer = await put(body(fields));
      expectError(answer, 422, ...elements.map((element) => `Immunization.${element}`));
      expect((await read()).status).toBe('completed');
    });
    test('an encounter, if the note of the record has none', async () => {
      await clinic().records.directory.put('Note', { id: 'letter', patientId: 'amy' });
      await record({ id: 'told', kind: 'immunizationStatement', noteId: 'letter' });
      const visit = { encounter: { reference: 'Encounter/visit-amy' } };
      expectError(await put(body({ id: 'told', ...visit }), {}, 'told'), 422, 'Immunization.encounter');
    });
    test('and does not if it names the values of the record', async () => {
      const own = { extension: noteIdExtension('note-amy'), encounter: { reference: 'Encounter/visit-amy' } };
      expectNullBody(await put(body(own)), 200);
    });
  });

  test('id is required (string)', async () => {
    expectError(await put(body({ id: undefined })), 400, 'Immunization.id');
    expectError(await put(body({ id: 7 })), 400, 'Immunization.id');
  });

  describe('status is required and only entered-in-error is processed', () => {
    test.each(['completed', 'not-done'])('refused: %s', async (status) => {
      expectError(await put(body({ status })), 405, 'Immunization.status');
    });
    test('refused with 400: any other', async () => {
      expectError(await put(body({ status: 'gone' })), 400, 'Immunization.status');
    });
  });

  describe('primarySource is required, with no restriction stated', () => {
    test.each([true, false])('%s', async (primarySource) => {
      expectNullBody(await put(body({ primarySource })), 200);
    });
  });

  test('Only marking an existing Immunization Statement as entered-in-error is supported: an Immunize command is refused, and an unknown id', async () => {
    await record({ id: 'given', kind: 'immunize' });
    const answer = await put(body({ id: 'given' }), {}, 'given');
    expectError(answer, 405, 'Immunization.primarySource');
    expectError(await put(body({ id: 'none' }), {}, 'none'), 405, 'Immunization.id');
    expect((await clinic().get('/Immunization/none')).status).toBe(404);
    expect((await clinic().get('/Immunization/given')).json.status).toBe('completed');
  });

  test('a statement that is not committed is not an immunization yet: 405, and it stays staged', async () => {
    const { chart } = clinic().records;
    const staged = await clinic().stage(immunize({ id: 'staged' }));
    expectError(await put(body({ id: 'staged' }), {}, 'staged'), 405, 'Immunization.id');
    expect(await chart.commandsOf(staged)).toEqual([staged]);
  });

  test('a statement that was created through the interface can be marked', async () => {
    const { headers } = await clinic().post('/Immunization', statement());
    const id = (headers.location ?? '').replace('/fhir/Immunization/', '');
    expectNullBody(await put(body({ id }), {}, id), 200);
    expect((await clinic().get(`/Immunization/${id}`)).json.status).toBe('entered-in-error');
  });

  describe('PUT | /Immunization/{id} | Request body below | errors 400, 401, 403, 405, 422', () => {
    test.each<[number, object, RequestOptions, ...string[]]>([
      [400, { id: 'other' }, {}, 'Immunization.id'],
      [401, {}, { token: null }],
      [403, {}, { token: 'reader' }],
      [405, { status: 'completed' }, {}, 'Immunization.status'],
      [422, { patient: { reference: 'Patient/ben' } }, {}, 'Immunization.patient'],
    ])('%d', async (status, fields, sent, ...expressions) => {
      expectError(await put(body(fields), sent), status, ...expressions);
      expect((await read()).status).toBe('completed');
    });
  });
});
