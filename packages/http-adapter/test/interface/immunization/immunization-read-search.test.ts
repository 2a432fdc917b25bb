import { describe, expect, test } from 'vitest';
import { immunize, influenza, noteIdExtension, statement } from '../../builders.ts';
import { expectError, expectNotFound, idsOf, withoutMeta } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Immunization, read and search', (clinic) => {
  const record = (fields: Parameters<typeof immunize>[0] = {}) => clinic().record(immunize(fields));
  const read = async (id = 'shot') => (await clinic().get(`/Immunization/${id}`)).json;

  test('GET | /Immunization/{id} | Path id (string, required). Response: an Immunization | 200', async () => {
    await record({ note: [{ text: 'Left arm' }] });
    const answer = await clinic().get('/Immunization/shot');
    expect([answer.status, withoutMeta(answer.json)]).toEqual([
      200,
      {
        resourceType: 'Immunization',
        id: 'shot',
        extension: noteIdExtension('note-amy'),
        status: 'completed',
        vaccineCode: { coding: [influenza] },
        patient: { reference: 'Patient/amy', type: 'Patient' },
        encounter: { reference: 'Encounter/visit-amy', type: 'Encounter' },
        occurrenceDateTime: '2025-10-01',
        primarySource: true,
        note: [{ text: 'Left arm' }],
      },
    ]);
  });

  test('extension | Note identifier extension; elements have url (only value {extension_base}/note-id) and valueId', async () => {
    await record({ noteId: undefined, encounterId: 'visit-amy' });
    expect((await read()).extension).toEqual(noteIdExtension('note-amy'));
  });
  test('extension | Note identifier extension; elements have url (only value {extension_base}/note-id) and valueId: another one is refused', async () => {
    const extension = [{ url: 'urn:x', valueId: 'note-amy' }];
    const answer = await clinic().post('/Immunization', statement({ extension }));
    expectError(answer, 400, 'Immunization.extension[0].url');
  });

  test('encounter | The encounter related to the note in the extension', async () => {
    await record({ noteId: 'note-amy' });
    expect((await read()).encounter).toEqual({ reference: 'Encounter/visit-amy', type: 'Encounter' });
    await record({ id: 'import', noteId: undefined });
    expect(await read('import')).not.toHaveProperty('encounter');
  });

  test('primarySource | true: administered within the clinic (recorded with an Immunize command)', async () => {
    await record({ kind: 'immunize' });
    expect((await read()).primarySource).toBe(true);
  });

  test('primarySource | false: administered outside the clinic (recorded with an Immunization Statement command)', async () => {
    await record({ kind: 'immunizationStatement' });
    expect((await read()).primarySource).toBe(false);
  });

  test('statusReason | present only when a reason for not-done is recorded. system value: http://terminology.hl7.org/CodeSystem/v3-ActReaso', async () => {
    await record();
    await record({ id: 'not', status: 'not-done' });
    await record({ id: 'why', statusReason: { coding: [{ code: 'PATOBJ', display: 'patient objection' }] } });
    const [shot, not, why] = [await read(), await read('not'), await read('why')];
    expect([shot.status, not.status, why.status]).toEqual(['completed', 'not-done', 'not-done']);
    expect([shot.statusReason, not.statusReason, why.statusReason]).toEqual([
      undefined,
      undefined,
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/v3-ActReaso',
            code: 'PATOBJ',
            display: 'patient objection',
          },
        ],
      },
    ]);
  });

  test('statusReason | present only when a reason for not-done is recorded. system value: http://terminology.hl7.org/CodeSystem/v3-ActReaso: refused beside another status, and in another system', async () => {
    const coding = { code: 'PATOBJ', display: 'patient objection' };
    await expect(record({ status: 'completed', statusReason: { coding: [coding] } })).rejects.toMatchObject({
      issues: [{ expression: 'Command.statusReason' }],
    });
    const other = { ...coding, system: 'http://terminology.hl7.org/CodeSystem/v3-ActReason' };
    await expect(record({ statusReason: { coding: [other] } })).rejects.toMatchObject({
      issues: [{ expression: 'Command.statusReason.coding[0].system' }],
    });
  });

  describe('vaccineCode.coding[].system | string | One of: http://hl7.org/fhir/sid/cvx, http://www.ama-assn.org/go/cpt, unstructured. Sample reads also show http://hl7.org/fhir/sid/cpt', () => {
    test.each([
      'http://hl7.org/fhir/sid/cvx',
      'http://www.ama-assn.org/go/cpt',
      'unstructured',
      'http://hl7.org/fhir/sid/cpt',
    ] as const)('%s', async (system) => {
      const vaccineCode = { coding: [{ system, code: '90686', display: 'Influenza' }] };
      await record({ vaccineCode });
      expect((await read()).vaccineCode).toEqual(vaccineCode);
    });
    test.each(['http://hl7.org/fhir/sid/ndc', 'http://snomed.info/sct', 'cvx', ''])(
      'refused: "%s"',
      async (system) => {
        await expect(
          record({ vaccineCode: { coding: [{ system: system as 'unstructured', code: '1' }] } }),
        ).rejects.toMatchObject({ issues: [{ expression: 'Command.vaccineCode.coding[0].system' }] });
      },
    );
  });

  describe('occurrenceDateTime | date or datetime | (date such as YYYY-MM-DD, or a full ISO 8601 datetime)', () => {
    test.each(['2025-10-01', '2025-10-01T08:30:00.000-05:00'])('%s', async (occurrenceDateTime) => {
      await record({ occurrenceDateTime });
      expect((await read()).occurrenceDateTime).toBe(occurrenceDateTime);
    });
    test.each(['2025-10-01T08:30:00', '01.10.2025', '2025-02-29', ''])('refused: "%s"', async (sent) => {
      await expect(record({ occurrenceDateTime: sent })).rejects.toMatchObject({
        issues: [{ expression: 'Command.occurrenceDateTime' }],
      });
    });
  });

  describe('GET | /Immunization/{id} | errors 401, 403, 404', () => {
    test.each([
      [401, null],
      [403, 'goals'],
    ])('%d', async (status, token) => {
      await record();
      expectError(await clinic().get('/Immunization/shot', { token }), status);
    });
    test('404', async () => {
      expectNotFound(await clinic().get('/Immunization/none'), 'Immunization', 'none');
    });
    test('404: a staged command is not an immunization yet', async () => {
      await clinic().stage(immunize());
      expectNotFound(await clinic().get('/Immunization/shot'), 'Immunization', 'shot');
      expect(idsOf(await clinic().get('/Immunization'))).toEqual([]);
    });
  });

  describe('GET | /Immunization | Query parameters `_id` (string) and `patient` (string, `Patient/<patient_id>`). Response: search bundle of Immunization | 200', () => {
    test.each([
      ['_id=other', ['other']],
      ['patient=Patient/ben', ['bens']],
      ['patient=Patient/ben&_id=shot', []],
      ['', ['shot', 'bens', 'other']],
    ])('%s', async (query, ids) => {
      await record();
      await record({ id: 'bens', patientId: 'ben', noteId: 'note-ben' });
      await record({ id: 'other' });
      expect(idsOf(await clinic().get(`/Immunization?${query}`))).toEqual(ids);
    });
    test('every match is an entry as it is read', async () => {
      await record();
      const { json } = await clinic().get('/Immunization');
      expect(json.entry).toEqual([{ resource: await read(), search: { mode: 'match' } }]);
    });
  });
});
