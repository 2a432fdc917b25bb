import { formatComment } from '@clinical-records/core/rules';
import { describe, expect, test } from 'vitest';
import { cvx, influenza, noteIdExtension, statement } from '../../builders.ts';
import type { ParsedResponse, RequestOptions } from '../../clinic.ts';
import { expectError, expectNullBody, idsOf, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Immunization, POST', (clinic) => {
  const post = (body: unknown, sent: RequestOptions = {}) => clinic().post('/Immunization', body, sent);
  const idIn = (answer: ParsedResponse) => {
    expect(answer.status).toBe(201);
    return (answer.headers.location ?? '').replace('/fhir/Immunization/', '');
  };
  const made = async (fields: object = {}) => {
    const id = idIn(await post(statement(fields)));
    return (await clinic().get(`/Immunization/${id}`)).json;
  };
  const noteOf = async ({ extension }: { extension: { valueId: string }[] }) =>
    clinic().records.directory.read('Note', extension[0]?.valueId ?? '');

  test("POST | /Immunization | Request body below | 201; the new resource's id (UUID) is in the Location header; null body", async () => {
    const answer = await post(statement());
    expectNullBody(answer, 201);
    expect(answer.headers.location).toMatch(
      /^\/fhir\/Immunization\/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/,
    );
  });

  test('the sent values are read', async () => {
    const resource = await made({
      resourceType: 'Immunization',
      extension: noteIdExtension('note-amy'),
      patient: { reference: 'Patient/amy', type: 'Patient' },
      encounter: { reference: 'Encounter/visit-amy', type: 'Encounter' },
      occurrenceDateTime: '2025-10-01T08:30:00-05:00',
      note: [{ text: 'Left arm' }],
    });
    expect(withoutMeta(resource)).toEqual({
      resourceType: 'Immunization',
      id: resource.id,
      extension: noteIdExtension('note-amy'),
      status: 'completed',
      vaccineCode: { coding: [influenza] },
      patient: { reference: 'Patient/amy', type: 'Patient' },
      encounter: { reference: 'Encounter/visit-amy', type: 'Encounter' },
      occurrenceDateTime: '2025-10-01T08:30:00-05:00',
      primarySource: false,
      note: [{ text: 'Left arm' }],
    });
  });

  describe('POST body: what is required', () => {
    const coding = (fields: object) => ({ vaccineCode: { coding: [{ ...influenza, ...fields }] } });
    test.each<[string, object, string]>([
      ['status | enum | yes', { status: undefined }, 'status'],
      ['vaccineCode | object | yes', { vaccineCode: undefined }, 'vaccineCode'],
      ['vaccineCode | coding (array, required)', { vaccineCode: {} }, 'vaccineCode.coding'],
      ['vaccineCode | system (required', coding({ system: undefined }), 'vaccineCode.coding[0].system'],
      ['vaccineCode | code (required, string)', coding({ code: undefined }), 'vaccineCode.coding[0].code'],
      ['patient | object | yes', { patient: undefined }, 'patient'],
      ['patient | reference (required, `Patient/<patient_id>`)', { patient: {} }, 'patient.reference'],
      [
        'encounter | reference (required when present, `Encounter/<encounter_id>`)',
        { encounter: {} },
        'encounter.reference',
      ],
      ['occurrenceDateTime | date | yes', { occurrenceDateTime: undefined }, 'occurrenceDateTime'],
      ['note | text (string)', { note: [{}] }, 'note[0].text'],
      ['note | text (string), and of no other type', { note: [{ text: 7 }] }, 'note[0].text'],
      ['primarySource | boolean | yes', { primarySource: undefined }, 'primarySource'],
      [
        'extension | url (required, {extension_base}/note-id)',
        { extension: [{ valueId: 'note-amy' }] },
        'extension[0].url',
      ],
      [
        'extension | valueId (required, string, note identifier)',
        { extension: noteIdExtension('x').map(({ url }) => ({ url })) },
        'extension[0].valueId',
      ],
    ])('%s', async (_, fields, element) => {
      expectError(await post(statement(fields)), 400, `Immunization.${element}`);
    });
    test.each<[string, object]>([
      ['resourceType | string | no | Immunization', { resourceType: undefined }],
      ['extension | array of object | no', { extension: undefined }],
      ['encounter | object | no', { encounter: undefined }],
      ['note | array of object | no', { note: undefined }],
      ['vaccineCode | display (optional)', coding({ display: undefined })],
      ['patient | type (optional)', { patient: { reference: 'Patient/amy', type: 'Patient' } }],
      ['encounter | type (optional)', { encounter: { reference: 'Encounter/visit-amy', type: 'Encounter' } }],
    ])('%s', async (_, fields) => {
      expectNullBody(await post(statement(fields)), 201);
    });
  });

  describe('vaccineCode | system (required; http://hl7.org/fhir/sid/cvx, http://www.ama-assn.org/go/cpt or unstructured)', () => {
    test.each([cvx, 'http://www.ama-assn.org/go/cpt', 'unstructured'])('%s', async (system) => {
      const vaccineCode = { coding: [{ system, code: '90686', display: 'Influenza' }] };
      expect((await made({ vaccineCode })).vaccineCode).toEqual(vaccineCode);
    });
    test.each(['http://hl7.org/fhir/sid/cpt', 'http://hl7.org/fhir/sid/ndc'])(
      'refused: %s',
      async (system) => {
        const answer = await post(statement({ vaccineCode: { coding: [{ system, code: '90686' }] } }));
        expectError(answer, 400, 'Immunization.vaccineCode.coding[0].system');
      },
    );
  });

  describe('occurrenceDateTime | Date or datetime', () => {
    test.each(['2025-10-01', '2025-10', '2025-10-01T08:30:00.5+02:00', '2025-10-01T08:30:00Z'])(
      '%s',
      async (occurrenceDateTime) => {
        expect((await made({ occurrenceDateTime })).occurrenceDateTime).toBe(occurrenceDateTime);
      },
    );
    test.each(['2025-13-01', '2025-02-29', '1.10.2025', '2025-10-01T08:30:00', ''])(
      'refused: "%s"',
      async (sent) => {
        const answer = await post(statement({ occurrenceDateTime: sent }));
        expectError(answer, 400, 'Immunization.occurrenceDateTime');
      },
    );
  });

  test('primarySource | On create only false is accepted. Creating an Immunize command is not supported: true is refused', async () => {
    expectError(await post(statement({ primarySource: true })), 405, 'Immunization.primarySource');
    expect((await clinic().get('/Immunization')).json.total).toBe(0);
    expect((await made({ primarySource: false })).primarySource).toBe(false);
  });

  describe('status | completed, entered-in-error, not-done are the enum members; create accepts completed', () => {
    test.each(['entered-in-error', 'not-done'])('refused with 422: %s', async (status) => {
      expectError(await post(statement({ status })), 422, 'Immunization.status');
    });
    test('refused with 400: any other', async () => {
      expectError(await post(statement({ status: 'done' })), 400, 'Immunization.status');
    });
  });

  test("The record is stored in an Immunization Statement command on the patient's chart", async () => {
    const { id, primarySource } = await made({ note: [{ text: 'Left arm' }] });
    expect(primarySource).toBe(false);
    const { chart } = clinic().records;
    const [command, ...others] = await chart.commandsOf({ resourceType: 'Immunization', resourceId: id });
    expect(others).toEqual([]);
    expect(command).toMatchObject({
      ...{ kind: 'immunizationStatement', status: 'committed', patientId: 'amy', resourceId: id },
      command: {
        ...{
          kind: 'immunizationStatement',
          patientId: 'amy',
          occurrenceDateTime: statement().occurrenceDateTime,
        },
        vaccineCode: { coding: [influenza] },
        note: [{ text: 'Left arm' }],
      },
    });
    const inChartOf = async (patient: string) =>
      idsOf(await clinic().get(`/Immunization?patient=${patient}`));
    expect([await inChartOf('amy'), await inChartOf('ben')]).toEqual([[id], []]);
  });

  describe('Send either the note identifier extension or the encounter reference, not both', () => {
    test('the note determines its encounter', async () => {
      expect((await made({ extension: noteIdExtension('note-amy') })).encounter.reference).toBe(
        'Encounter/visit-amy',
      );
    });
    test('the encounter determines its note', async () => {
      const { extension } = await made({ encounter: { reference: 'Encounter/visit-amy' } });
      expect(extension).toEqual(noteIdExtension('note-amy'));
    });
    test('an encounter without a note gets one, and keeps it', async () => {
      await clinic().records.directory.put('Encounter', { id: 'call', patientId: 'amy' });
      const encounter = { reference: 'Encounter/call' };
      const [one, other] = [await made({ encounter }), await made({ encounter })];
      expect(other.extension).toEqual(one.extension);
      expect((await noteOf(one))?.encounterId).toBe('call');
    });
    test('When both are sent, they must refer to the same note: then they are accepted', async () => {
      const both = {
        extension: noteIdExtension('note-amy'),
        encounter: { reference: 'Encounter/visit-amy' },
      };
      expect(await made(both)).toMatchObject(both);
    });
    test('When both are sent, they must refer to the same note: others are refused', async () => {
      const { directory } = clinic().records;
      await directory.put('Encounter', { id: 'call', patientId: 'amy' });
      await directory.put('Note', { id: 'call-note', patientId: 'amy', encounterId: 'call' });
      await directory.put('Note', { id: 'letter', patientId: 'amy' });
      for (const [note, visit] of [
        ['note-amy', 'call'],
        ['call-note', 'visit-amy'],
        ['letter', 'call'],
      ] as const) {
        const encounter = { reference: `Encounter/${visit}` };
        const answer = await post(statement({ extension: noteIdExtension(note), encounter }));
        expectError(answer, 422, 'Immunization.extension[0]');
      }
      expect((await clinic().get('/Immunization')).json.total).toBe(0);
    });
  });

  test('When neither is sent, the record goes into a Data Import note whose date of service is the time of ingestion', async () => {
    clinic().clock.at('2026-03-05T10:00:00.250Z');
    expect(await noteOf(await made())).toMatchObject({
      patientId: 'amy',
      encounterId: null,
      title: 'Data Import',
      dateOfService: '2026-03-05T10:00:01.250+00:00',
    });
  });

  test('Concurrent requests referencing different encounters are allowed', async () => {
    const resources = await Promise.all([
      made({ encounter: { reference: 'Encounter/visit-amy' } }),
      made({ patient: { reference: 'Patient/ben' }, encounter: { reference: 'Encounter/visit-ben' } }),
    ]);
    expect(resources.map(({ extension }) => extension)).toEqual([
      noteIdExtension('note-amy'),
      noteIdExtension('note-ben'),
    ]);
  });

  test('note | Shown in the comment field of the immunization statement command; several elements are separated by a new line', async () => {
    const { note } = await made({ note: [{ text: 'one' }, { text: 'two' }] });
    expect(note).toEqual([{ text: 'one' }, { text: 'two' }]);
    expect(formatComment(note)).toBe('one\ntwo');
  });

  describe('POST | /Immunization | errors 400, 401, 403, 405, 422', () => {
    test.each<[number, object, RequestOptions, ...string[]]>([
      [400, { status: 1 }, {}, 'Immunization.status'],
      [401, {}, { token: 'forged' }],
      [403, {}, { token: 'reader' }],
      [405, { primarySource: true }, {}, 'Immunization.primarySource'],
      [422, { patient: { reference: 'Patient/none' } }, {}, 'Immunization.patient'],
    ])('%d', async (status, fields, sent, ...expressions) => {
      expectError(await post(statement(fields), sent), status, ...expressions);
      expect((await clinic().get('/Immunization')).json.total).toBe(0);
    });
  });
});
