import { formatComment } from '@clinical-records/core/rules';
import { describe, expect, test } from 'vitest';
import { enteredInError, immunize, noteIdExtension, statement } from '../../builders.ts';
import { createHandler, createRecords, createSender } from '../../clinic.ts';
import { sourceImmunization } from '../../library/importer/source-resources.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { expectError, expectNullBody } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Immunization', (clinic) => {
  const record = (fields: Parameters<typeof immunize>[0]) => clinic().record(immunize(fields));
  const post = (fields: object = {}) =>
    clinic().post('/Immunization', statement(fields), { headers: { prefer: 'return=representation' } });
  const read = async (id: string) => (await clinic().get(`/Immunization/${id}`)).json;

  test('An Immunize command reads with `primarySource: true`; a statement with `false`', async () => {
    await record({ id: 'given', kind: 'immunize' });
    await record({ id: 'told', kind: 'immunizationStatement' });
    const [given, historical] = [await read('given'), await read('told')];
    expect([given.primarySource, historical.primarySource]).toEqual([true, false]);
    expect((await post()).json.primarySource).toBe(false);
  });

  test("A reason for not giving makes `not-done` with `statusReason`, whose system is the interface's literal value", async () => {
    await record({
      id: 'why',
      statusReason: { coding: [{ code: 'MEDPREC', display: 'medical precaution' }] },
    });
    const { status, statusReason } = await read('why');
    expect([status, statusReason]).toEqual([
      'not-done',
      {
        coding: [
          {
            system: 'http://terminology.hl7.org/CodeSystem/v3-ActReaso',
            code: 'MEDPREC',
            display: 'medical precaution',
          },
        ],
      },
    ]);
  });

  test("Several notes are read as they were sent; the command's comment is their texts, a line each", async () => {
    const note = [{ text: 'one\ntwo' }, { text: '  three ' }, { text: 'one\ntwo' }];
    const { json } = await post({ note });
    expect((await read(json.id)).note).toEqual(note);
    expect(formatComment(note)).toBe('one\ntwo\n  three \none\ntwo');
  });

  test('without notes there is no `note`', async () => {
    expect((await post({ note: [] })).json).not.toHaveProperty('note');
  });

  describe('Without note or encounter, the statement goes into a Data Import note made in the same commit, dated at ingestion', () => {
    test('a note of its own', async () => {
      clinic().clock.at('2026-03-05T10:00:00.250Z');
      const { json } = await post();
      const note = await clinic().records.directory.read('Note', json.extension[0].valueId);
      expect(note).toEqual({
        id: json.extension[0].valueId,
        patientId: 'amy',
        encounterId: null,
        title: 'Data Import',
        dateOfService: '2026-03-05T10:00:01.250+00:00',
        immunizationIds: [json.id],
      });
      expect((await post()).json.extension).not.toEqual(json.extension);
    });
    test('in which others can be placed later', async () => {
      const { extension } = (await post()).json;
      expect((await post({ extension })).json.extension).toEqual(extension);
    });
    test('and none if the statement is refused', async () => {
      const before = await clinic().feed();
      expect((await post({ status: 'not-done' })).status).toBe(422);
      expect(await clinic().feed()).toEqual(before);
    });
  });

  describe('The host says which note an encounter has: by `noteId` in `directory.put`, or in the result of `resolve`', () => {
    const encounter = { reference: 'Encounter/call' };
    const call = { id: 'call', patientId: 'amy' };
    const rules = async (called: Promise<unknown>) => {
      const result = await outcomeOf(called);
      return result._tag === 'Left' ? result.left.issues.map(({ rule }) => rule) : [];
    };

    test('the note need not be in the directory yet', async () => {
      const { put, read: entry } = clinic().records.directory;
      await put('Encounter', { ...call, noteId: 'of-call' });
      expect((await post({ encounter })).json.extension).toEqual(noteIdExtension('of-call'));
      expect((await post({ extension: noteIdExtension('of-call') })).json.encounter.reference).toBe(
        'Encounter/call',
      );
      await put('Note', { ...call, id: 'of-call', encounterId: 'call', title: 'Phone call' });
      expect(await entry('Note', 'of-call')).toMatchObject({
        encounterId: 'call',
        title: 'Phone call',
      });
    });
    test('it stays when the encounter is put again, with it or without', async () => {
      const { put } = clinic().records.directory;
      await put('Encounter', { ...call, noteId: 'of-call' });
      const before = await clinic().feed();
      await put('Encounter', { ...call, noteId: 'of-call' });
      await put('Encounter', call);
      expect(await clinic().feed()).toEqual(before);
    });
    test('a note of another encounter or patient, and another note than it has, are refused', async () => {
      const { put } = clinic().records.directory;
      expect(await rules(put('Encounter', { ...call, noteId: 'note-amy' }))).toEqual([
        'note-of-another-encounter',
      ]);
      expect(await rules(put('Encounter', { ...call, noteId: 'note-ben' }))).toEqual([
        'note-of-another-patient',
        'note-of-another-encounter',
      ]);
      await post({ encounter: { reference: 'Encounter/visit-amy' } });
      expect(await rules(put('Encounter', { id: 'visit-amy', patientId: 'amy', noteId: 'other' }))).toEqual([
        'note-of-another-encounter',
      ]);
    });
    test('if two encounters name one note at the same moment, one of them gets it', async () => {
      const { put } = clinic().records.directory;
      const both = ['one', 'two'].map((id) => rules(put('Encounter', { ...call, id, noteId: 'of-call' })));
      expect((await Promise.all(both)).toSorted()).toEqual([[], ['note-of-another-encounter']]);
    });
  });

  describe('A note can get its encounter later. The same commit then gives it to the immunizations in the note, staged ones, too', () => {
    const extension = noteIdExtension('letter');
    const encounter = { reference: 'Encounter/call', type: 'Encounter' };
    const letter = { id: 'letter', patientId: 'amy' };
    const call = { id: 'call', patientId: 'amy' };
    const putLetter = async () => clinic().records.directory.put('Note', letter);
    const encounterOf = async (id: string) => (await read(id)).encounter;

    test.each<[string, () => Promise<unknown>]>([
      [
        'by the `noteId` of the encounter',
        async () => clinic().records.directory.put('Encounter', { ...call, noteId: 'letter' }),
      ],
      [
        'by the `encounterId` of the note',
        async () => {
          await clinic().records.directory.put('Encounter', call);
          await clinic().records.directory.put('Note', { ...letter, encounterId: 'call' });
        },
      ],
      [
        'by a result of `resolve`',
        async () => {
          const resolve = (type: string) => (type === 'Encounter' ? { ...call, noteId: 'letter' } : null);
          await createRecords(clinic().store, { resolve }).directory.read('Encounter', 'call');
        },
      ],
    ])('%s', async (_how, link) => {
      await putLetter();
      const { id } = (await post({ extension })).json;
      const staged = await clinic().stage(immunize({ id: 'staged', noteId: 'letter' }));
      expect(await encounterOf(id)).toBeUndefined();
      const before = await clinic().feed();
      await link();
      expect(await encounterOf(id)).toEqual(encounter);
      await clinic().commit(staged.id);
      expect(await encounterOf('staged')).toEqual(encounter);
      const versions = (await clinic().feed()).slice(before.length);
      expect(versions.filter((one) => one.id === id)).toMatchObject([{ version: 2, by: null }]);
      const { json } = await clinic().get(`/Immunization/${id}/_history`);
      expect(json.entry.map(({ resource }: never) => resource)).toMatchObject([{ encounter }, { id }]);
      expect(json.entry[1].resource).not.toHaveProperty('encounter');
      expectNullBody(await clinic().put(`/Immunization/${id}`, enteredInError(id, { encounter })), 200);
    });

    test('a Data Import note, too, and a note that others are placed in afterwards', async () => {
      const imported = (await post()).json;
      const [{ valueId: noteId }] = imported.extension;
      await clinic().records.directory.put('Encounter', { ...call, noteId });
      const later = (await post({ extension: imported.extension })).json;
      expect([await encounterOf(imported.id), later.encounter]).toEqual([encounter, encounter]);
    });

    test('if the note gets it while immunizations are recorded in it', async () => {
      await putLetter();
      const posts = Array.from({ length: 4 }, () => post({ extension }));
      const put = outcomeOf(clinic().records.directory.put('Encounter', { ...call, noteId: 'letter' }));
      const more = Array.from({ length: 4 }, () => post({ extension }));
      const ids = (await Promise.all([...posts, ...more])).map(({ json }) => json.id);
      expect(await put).toMatchObject({ _tag: 'Right' });
      expect(await Promise.all(ids.map(encounterOf))).toEqual(ids.map(() => encounter));
    });

    test('and then an export and an import keep both', async () => {
      await putLetter();
      const { id } = (await post({ extension })).json;
      await clinic().records.directory.put('Encounter', { ...call, noteId: 'letter' });
      await post({ extension });
      const { resources } = await clinic().records.exporter.begin();
      const texts: string[] = [];
      for await (const { json } of resources) texts.push(json);
      const other = createRecords();
      const { issues } = await other.importer.load(texts, { createNotes: true });
      expect(issues).toEqual([]);
      expect(await other.immunizations.read(id)).toMatchObject({ extension, encounter });
    });

    test('but not to one that was moved into another chart', async () => {
      await putLetter();
      const { id } = (await post({ extension })).json;
      const why = { by: 'Practitioner/ada', reason: 'Wrong chart.' } as const;
      const move = { resourceType: 'Immunization', resourceId: id, toPatientId: 'ben', ...why } as const;
      await clinic().records.corrections.moveToPatient(move);
      const moved = await read(id);
      await clinic().records.directory.put('Encounter', { ...call, noteId: 'letter' });
      expect(await read(id)).toEqual(moved);
      const [{ valueId: noteId }] = moved.extension;
      await clinic().records.directory.put('Encounter', { id: 'review', patientId: 'ben', noteId });
      expect((await encounterOf(id)).reference).toBe('Encounter/review');
    });

    test('and in the chart of the patient into whom theirs was merged', async () => {
      await putLetter();
      const { id } = (await post({ extension })).json;
      const why = { by: 'Practitioner/ada', reason: 'Registered twice.' } as const;
      await clinic().records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
      await clinic().records.directory.put('Encounter', { ...call, patientId: 'ben', noteId: 'letter' });
      expect(await read(id)).toMatchObject({ patient: { reference: 'Patient/ben' }, encounter });
    });

    test('and not to one that was erased', async () => {
      await putLetter();
      const { id } = (await post({ extension })).json;
      const why = { by: 'Practitioner/ada', reason: 'Amy asked for it.' } as const;
      await clinic().records.corrections.erase({ resourceType: 'Immunization', resourceId: id, ...why });
      await clinic().records.directory.put('Encounter', { ...call, noteId: 'letter' });
      expect((await clinic().get(`/Immunization/${id}`)).status).toBe(404);
    });
  });

  test('A result of `resolve` that contradicts the stored entries is a 422 at the element that mentions it', async () => {
    const records = createRecords(clinic().store, {
      resolve: (type, id) => (type === 'Note' ? { id, patientId: 'amy', encounterId: 'call' } : null),
    });
    const send = createSender(createHandler(records));
    await records.directory.put('Encounter', { id: 'call', patientId: 'amy' });
    const sent = (fields: object) => send('POST', '/Immunization', { body: statement(fields) });
    const invented = await sent({ encounter: { reference: 'Encounter/call' } });
    expectNullBody(invented, 201);
    expectError(await sent({ extension: noteIdExtension('of-call') }), 422, 'Immunization.extension[0]');
    const note = await outcomeOf(records.directory.read('Note', 'of-call'));
    expect(note).toMatchObject({ left: { issues: [{ rule: 'note-of-another-encounter' }] } });
  });

  describe('Concurrent requests on the same encounter are safe here', () => {
    test('all are recorded in the same note of the encounter', async () => {
      await clinic().records.directory.put('Encounter', { id: 'call', patientId: 'amy' });
      const encounter = { reference: 'Encounter/call' };
      const answers = await Promise.all(Array.from({ length: 8 }, () => post({ encounter })));
      expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 8 }, () => 201));
      expect(new Set(answers.map(({ json }) => json.id)).size).toBe(8);
      const notes = new Set(answers.map(({ json }) => json.extension[0].valueId));
      expect(notes.size).toBe(1);
      const [note] = notes;
      expect((await clinic().records.directory.read('Encounter', 'call'))?.noteId).toBe(note);
      expect((await clinic().get('/Immunization')).json.total).toBe(8);
    });
    test('if one statement is marked several times, each is 200, and one version is made', async () => {
      await record({ kind: 'immunizationStatement' });
      const marks = Array.from({ length: 5 }, () => clinic().put('/Immunization/shot', enteredInError()));
      const answers = await Promise.all(marks);
      for (const answer of answers) expectNullBody(answer, 200);
      expect((await clinic().get('/Immunization/shot')).headers.etag).toBe('W/"2"');
    });
  });

  describe('A `modifierExtension` anywhere in a body is always a 400; so is each other element that may reverse the meaning of the rest', () => {
    const reason = {
      coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ActReaso', code: 'PATOBJ' }],
    };
    const modified = { modifierExtension: [{ url: 'https://clinic.example/x', valueBoolean: true }] };
    test.each([
      [
        'a modifierExtension in an element that is dropped',
        { subpotentReason: [{ text: 'x', ...modified }] },
        400,
        'subpotentReason',
      ],
      [
        'a modifierExtension in an element that is stored',
        { performer: [{ actor: { display: 'Ada' }, ...modified }] },
        400,
        'performer[0].modifierExtension',
      ],
      [
        'a modifierExtension in a contained resource',
        { contained: [{ resourceType: 'Device', ...modified }] },
        400,
        'contained',
      ],
      ['implicitRules', { implicitRules: 'https://elsewhere.example/rules' }, 400, 'implicitRules'],
      ['a dose that protects less', { isSubpotent: true }, 400, 'isSubpotent'],
      ['A `statusReason` in it is a 422', { statusReason: reason }, 422, 'statusReason'],
      [
        'a modifierExtension in such a reason',
        { statusReason: { ...reason, ...modified } },
        400,
        'statusReason.modifierExtension',
      ],
      ['a reason only in words', { statusReason: { text: 'refused' } }, 422, 'statusReason'],
      ['a reason that is none', { statusReason: null }, 400, 'statusReason'],
    ])('%s', async (_what, sent, status, element) => {
      const answer = await post(sent);
      expect(answer.status).toBe(status);
      expect(answer.json.issue[0].expression).toEqual([`Immunization.${element}`]);
      expect((await clinic().get('/Immunization')).json.total).toBe(0);
    });

    test('all faults at once', async () => {
      const { json } = await post({ statusReason: reason, status: 'not-done' });
      expect(json.issue.map(({ expression }: { expression: string[] }) => expression[0])).toEqual([
        'Immunization.status',
        'Immunization.statusReason',
      ]);
    });

    test('false is not refused', async () => {
      expect((await post({ isSubpotent: false })).status).toBe(201);
    });
  });

  describe('A dose is dated two days ahead at most: the end of tomorrow, anywhere on earth', () => {
    test.each([
      ['2026-03-02', 201],
      ['2026-03-03', 201],
      ['2026-03-04', 422],
      ['2026-03-02T23:59:59+14:00', 201],
      ['2026-03-04T10:00:00Z', 422],
      ['2026', 201],
      ['2026-04', 422],
      ['2027', 422],
      ['9999', 422],
      ['9999-12-31', 422],
    ])('%s: %i', async (occurrenceDateTime, status) => {
      clinic().clock.at('2026-03-01T10:00:00Z');
      const answer = await post({ occurrenceDateTime });
      expect(answer.status).toBe(status);
      if (status === 422) expectError(answer, 422, 'Immunization.occurrenceDateTime');
    });
    test('whether it was given, or is a command of the chart', async () => {
      clinic().clock.at('2026-03-01T10:00:00Z');
      for (const status of ['completed', 'not-done'] as const) {
        const given = immunize({ status, occurrenceDateTime: '9999' });
        expect(
          await outcomeOf(clinic().records.chart.record(given, { by: 'Practitioner/ada' })),
        ).toMatchObject({
          left: { issues: [{ rule: 'in-the-future', expression: 'Command.occurrenceDateTime' }] },
        });
      }
    });
    test('and in an import it is reported', async () => {
      const sent = sourceImmunization('amy', { occurrenceDateTime: '9999-01-01' });
      const { issues } = await clinic().records.importer.load([sent]);
      expect(issues).toMatchObject([
        { type: 'Immunization', rule: 'in-the-future', expression: 'Immunization.occurrenceDateTime' },
      ]);
    });
    test('so is a second with more than nine digits', async () => {
      const occurrenceDateTime = `2026-02-01T09:30:00.${'1'.repeat(100_000)}Z`;
      const { issues } = await clinic().records.importer.load([
        sourceImmunization('amy', { occurrenceDateTime }),
      ]);
      expect(issues).toMatchObject([{ expression: 'Immunization.occurrenceDateTime' }]);
      expectError(await post({ occurrenceDateTime }), 400, 'Immunization.occurrenceDateTime');
    });
  });

  test('The same holds for a vaccine in `http://hl7.org/fhir/sid/cpt`', async () => {
    const vaccineCode = { coding: [{ system: 'http://hl7.org/fhir/sid/cpt' as const, code: '90686' }] };
    await record({ id: 'told', kind: 'immunizationStatement', vaccineCode });
    const statusReason = { coding: [{ code: 'MEDPREC' }], text: 'as another system has it' };
    const body = { ...(await read('told')), statusReason, status: 'entered-in-error' };
    expectNullBody(await clinic().put('/Immunization/told', body), 200);
    expect((await read('told')).status).toBe('entered-in-error');
  });
});
