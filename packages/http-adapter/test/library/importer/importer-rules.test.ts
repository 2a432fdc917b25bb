import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, bob, goal as goalCommand, noteIdExtension } from '../../builders.ts';
import { extensionBase, openClinic } from '../../clinic.ts';
import { membersOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';
import { createLoader, leftOutMessage } from '../host/create-loader.ts';
import {
  sourceCareTeam,
  sourceEncounter,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePractitioner,
} from './source-resources.ts';

const order = sourceOrder('amy');
const goal = sourceGoal('amy', { achievementStatus: { coding: [{ code: 'in-progress' }] } });
const immunization = sourceImmunization('amy');

const snomed = { system: 'http://snomed.info/sct', code: '26604007', display: 'Complete blood count' };
const local = { system: 'urn:x:lab', code: 'CBC' };
const further = (...codings: object[]) =>
  codings.map((valueCoding) => ({ url: `${extensionBase}/further-coding`, valueCoding }));

onEveryStore('Decisions: Search', (clinic) => {
  test('A search by `code` or `vaccine-code` also finds further codings, which goes beyond "matches code.coding"', async () => {
    const ndc = { system: 'http://hl7.org/fhir/sid/ndc', code: '1-2-3' };
    const vaccineCode = { coding: [...immunization.vaccineCode.coding, ndc] };
    await createLoader(clinic)({ ...order, code: { coding: [snomed] } }, { ...immunization, vaccineCode });
    const idsOf = async (path: string) => (await clinic().get(path)).json.entry?.[0]?.resource.id;
    expect(await idsOf('/ServiceRequest?code=26604007')).toBe('s');
    expect(await idsOf('/ServiceRequest?code=http://snomed.info/sct|')).toBe('s');
    expect(await idsOf('/ServiceRequest?code=http://loinc.org|26604007')).toBeUndefined();
    expect(await idsOf('/Immunization?vaccine-code=1-2-3')).toBe('i');
    expect(await idsOf('/Immunization?vaccine-code=140')).toBe('i');
  });
});

onEveryStore('Decisions: Import', (clinic) => {
  const load = createLoader(clinic);
  const loadAll = async (...resources: object[]) => {
    const { updated, issues, warnings } = await clinic().records.importer.load(resources);
    return { updated, problems: [...issues, ...warnings] };
  };

  describe('An order needs one of the four statuses, one of the three categories, an authoring time, and a code or a text', () => {
    const readCode = async (code: object) => {
      const { imported, problems } = await load({ ...order, code });
      expect([imported, problems]).toEqual([{ ServiceRequest: 1 }, []]);
      return (await clinic().records.serviceRequests.read('s')).code;
    };

    test('Without a LOINC code, its `code` has only a text: its own, or the first display, or the first code. Its codings are further codings', async () => {
      const code = { text: 'CBC', extension: further(snomed, local) };
      expect(await readCode({ coding: [snomed, local], text: 'CBC' })).toEqual(code);
      const { lostElements, unchanged } = await clinic().records.importer.load([
        { ...order, code: { coding: [snomed, local], text: 'CBC' } },
      ]);
      expect([lostElements, unchanged]).toEqual([{}, { ServiceRequest: 1 }]);
    });
    test.each([
      ['the first display', [local, snomed], 'Complete blood count'],
      ['the first code', [local], 'CBC'],
    ])('%s', async (_what, coding, text) => {
      expect(await readCode({ coding })).toEqual({ text, extension: further(...coding) });
    });
    test('An order that names nothing is refused', async () => {
      expect((await load({ ...order, code: { coding: [{ system: 'urn:x' }] } })).imported).toEqual({});
    });
    test('A code system is the same under its OID', async () => {
      const oid = (number: string) => `urn:oid:2.16.840.1.113883.${number}`;
      const category = [{ coding: [{ system: oid('6.96'), code: '108252007' }] }];
      const code = { coding: [{ system: oid('6.1'), code: '718-7' }] };
      const vaccineCode = { coding: [{ system: oid('12.292'), code: '140' }] };
      const report = await clinic().records.importer.load([
        { ...order, category, code },
        { ...immunization, vaccineCode },
      ]);
      expect([report.imported, report.lostElements]).toEqual([{ ServiceRequest: 1, Immunization: 1 }, {}]);
      const { serviceRequests, immunizations } = clinic().records;
      expect((await serviceRequests.read('s')).code.coding).toEqual(order.code.coding);
      expect((await immunizations.read('i')).vaccineCode).toEqual(immunization.vaccineCode);
    });
  });

  test('with `implicitRules`, or with a `doNotPerform` or `isSubpotent` of true is refused', async () => {
    const report = await load(
      { ...order, doNotPerform: true },
      { ...immunization, isSubpotent: true },
      { ...goal, implicitRules: 'https://elsewhere.example/rules' },
    );
    expect(report).toEqual({
      imported: {},
      problems: [
        'g: The implicitRules may change the meaning of the resource and cannot be ignored.',
        's: ServiceRequest.doNotPerform: Not one of the allowed values. Allowed: false.',
        'i: Immunization.isSubpotent: Not one of the allowed values. Allowed: false.',
      ],
    });
    const { imported } = await load(
      { ...order, doNotPerform: false },
      { ...immunization, isSubpotent: false },
    );
    expect(imported).toEqual({ ServiceRequest: 1, Immunization: 1 });
  });

  test('So a participant whose `period` has an end that cannot be read is imported as inactive, and a dose that was not done stays so without its reason', async () => {
    const members = [
      { ...ada, period: { end: 'long ago' } },
      { ...bob, period: { end: '2090-01-01T10:00' } },
    ];
    const { problems } = await load(sourceCareTeam('amy', members), {
      ...immunization,
      status: 'not-done',
      statusReason: 'refused',
    });
    expect(problems).toEqual([
      `t: CareTeam.participant[0].period.end: ${leftOutMessage} Because it cannot be read, the period counts as over.`,
      `i: Immunization.statusReason: ${leftOutMessage} The element has the wrong JSON type. Allowed: object.`,
    ]);
    const { careTeams, immunizations } = clinic().records;
    expect(membersOf(await careTeams.read('amy'))).toEqual(['Practitioner/bob']);
    expect(membersOf(await careTeams.read('amy.inactive'))).toEqual(['Practitioner/ada']);
    expect(await immunizations.read('i')).toMatchObject({ status: 'not-done' });
  });

  test('So is the whole resource, if its encounter, or a flag that may turn its meaning, is not valid', async () => {
    for (const rest of [{ encounter: {} }, { encounter: 'visit-amy' }, { isSubpotent: 'false' }])
      expect((await load({ ...immunization, ...rest })).imported).toEqual({});
    expect((await load({ ...order, doNotPerform: 'no' })).imported).toEqual({});
    expect((await load(sourceCareTeam('amy', [ada], { status: 'over' }))).imported).toEqual({});
  });

  test('If the rest would mean something else without it, such as an amount without its unit or a coding without its system, the element around it is left out', async () => {
    const sent = {
      doseQuantity: { value: 5, unit: 7 },
      site: { text: 'arm', coding: [{ system: '', code: '1' }] },
    };
    expect((await load({ ...immunization, ...sent })).imported).toEqual({ Immunization: 1 });
    const read = await clinic().records.immunizations.read('i');
    expect(read).toMatchObject({ site: { text: 'arm' } });
    expect(read).not.toHaveProperty('doseQuantity');
    expect(read.site).not.toHaveProperty('coding');
  });

  test('In every element of every type, the smallest part that is not valid is left out and reported. A performer whose reference is of another form keeps the name', async () => {
    const doctor = { reference: 'Practitioner?identifier=urn:npi|7', display: 'Dr Ada' };
    const sent = {
      lotNumber: 7,
      doseQuantity: { value: 0.5, unit: '' },
      performer: [{ actor: doctor }, { function: { text: 'gave it' } }],
    };
    expect(await load({ ...immunization, ...sent })).toEqual({
      imported: { Immunization: 1 },
      problems: [
        `lotNumber: ${leftOutMessage} The element has the wrong JSON type. Allowed: string.`,
        `doseQuantity: ${leftOutMessage} At unit: The element is empty.`,
        expect.stringContaining(
          `performer[0].actor.reference: ${leftOutMessage} Must be a relative reference`,
        ),
        `performer[1]: ${leftOutMessage} At actor: A required element is missing.`,
      ].map((problem) => (typeof problem === 'string' ? `i: Immunization.${problem}` : problem)),
    });
    const read = await clinic().records.immunizations.read('i');
    expect(read).toMatchObject({ performer: [{ actor: { display: 'Dr Ada' } }] });
    expect(read).not.toHaveProperty('doseQuantity');
  });

  test('A resource with the tag SUBSETTED is incomplete, so it is refused', async () => {
    const system = 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue';
    expect(await load({ ...goal, meta: { tag: [{ system, code: 'SUBSETTED' }] } })).toEqual({
      imported: {},
      problems: ['g: The resource is tagged SUBSETTED: only a part of it was sent.'],
    });
  });

  test('An encounter that is entered in error is not imported, so a reference to it finds none; an existing encounter stays', async () => {
    const visit = sourceEncounter('visit', 'amy');
    const inError = { ...visit, status: 'entered-in-error' };
    const problem = 'visit: Encounter.status: The resource is entered in error, and cannot be imported.';
    expect(await load({ ...immunization, encounter: { reference: 'Encounter/visit' } }, inError)).toEqual({
      imported: {},
      problems: [problem, 'i: Immunization.encounter: There is no such encounter.'],
    });
    await load({ ...visit, status: 'finished' });
    expect((await load(inError)).problems).toEqual([problem]);
    expect(await clinic().records.directory.read('Encounter', 'visit')).not.toBeNull();
  });

  test('A goal counts as committed when it was started, otherwise when it got its status, and never in the future, so that later commits of the clinic are the latest', async () => {
    await load({ ...goal, startDate: '2027-01-01' });
    const { goals } = clinic().records;
    await clinic().record({
      kind: 'updateGoal',
      goalId: 'g',
      achievementStatus: 'not-attainable',
      dueDate: '2026-03-15',
    });
    expect(await goals.read('g')).toMatchObject({
      startDate: '2027-01-01',
      achievementStatus: { coding: [{ code: 'not-attainable' }] },
      target: [{ dueDate: '2026-03-15' }],
    });
  });

  test('A note without a time stays behind the note that was sent before it, also in an import of an export', async () => {
    const note = [
      { text: 'Undated' },
      { text: 'February', time: '2026-02-01' },
      { text: 'Undated, too' },
      { text: 'January', time: '2026-01-01' },
    ];
    await load({ ...goal, statusDate: '2026-01-15', note });
    const read = await clinic().records.goals.read('g');
    const texts = ['Undated', 'January', 'February', 'Undated, too'];
    expect(read.note?.map(({ text }) => text)).toEqual(texts);
    const copy = await openClinic(createMemoryStore());
    await copy.records.importer.load([read]);
    expect((await copy.records.goals.read('g')).note).toEqual(read.note);
  });

  test("An immunization keeps the note of the interface's extension, if it belongs to its patient and its encounter; otherwise the note is left out and reported", async () => {
    const { immunizations, directory } = clinic().records;
    await directory.put('Encounter', { id: 'visit', patientId: 'amy' });
    const noted = (id: string, note: string, encounterId?: string) => ({
      ...immunization,
      id,
      extension: noteIdExtension(note),
      ...(encounterId !== undefined && { encounter: { reference: `Encounter/${encounterId}` } }),
    });
    const all = [
      noted('a', 'note-amy'),
      noted('b', 'note-amy', 'visit-amy'),
      noted('c', 'note-ben'),
      noted('d', 'gone'),
      noted('e', 'note-amy', 'visit'),
      noted('f', 'note-amy', 'lost'),
    ];
    const problems = [
      ...['c', 'd', 'e'].map((id) => `${id}: Immunization.extension: ${leftOutMessage}`),
      'f: Immunization.encounter: There is no such encounter.',
    ];
    expect(await load(...all)).toEqual({ imported: { Immunization: 5 }, problems });
    const placeOf = async (id: string) => {
      const { extension, encounter } = await immunizations.read(id);
      return [extension[0]?.valueId, encounter?.reference];
    };
    for (const id of ['a', 'b']) expect(await placeOf(id)).toEqual(['note-amy', 'Encounter/visit-amy']);
    expect(await placeOf('e')).toEqual([expect.not.stringContaining('note-amy'), 'Encounter/visit']);
    expect(await load(...all)).toEqual({ imported: {}, problems });
    const answered = await Promise.all(['a', 'c', 'e'].map(async (id) => immunizations.read(id)));
    expect(await load(...answered)).toEqual({ imported: {}, problems: [] });
  });

  test('With `createNotes`, a note that the directory lacks is created under the id that the extension names, unless the encounter has another note', async () => {
    const { immunizations, directory, importer } = clinic().records;
    await directory.put('Encounter', { id: 'visit', patientId: 'amy' });
    const noted = (id: string, note: string, encounterId?: string) => ({
      ...immunization,
      id,
      extension: noteIdExtension(note),
      ...(encounterId !== undefined && { encounter: { reference: `Encounter/${encounterId}` } }),
    });
    const all = [
      ...[noted('a', 'new'), noted('b', 'new'), noted('c', 'visited', 'visit'), noted('d', 'other', 'visit')],
      ...[noted('e', 'note-ben'), noted('f', 'no id')],
    ];
    const report = await importer.load(all, { createNotes: true });
    expect(report.warnings.map(({ id, expression }) => `${id}: ${expression}`)).toEqual(
      ['d', 'e', 'f'].map((id) => `${id}: Immunization.extension`),
    );
    const noteOf = async (id: string) => (await immunizations.read(id)).extension[0]?.valueId;
    expect(await Promise.all(['a', 'b', 'c', 'd'].map(noteOf))).toEqual(['new', 'new', 'visited', 'visited']);
    expect(await directory.read('Note', 'new')).toMatchObject({ patientId: 'amy', encounterId: null });
    expect(await directory.read('Encounter', 'visit')).toMatchObject({ noteId: 'visited' });
    expect(await directory.read('Note', 'note-ben')).toMatchObject({ patientId: 'ben' });
  });

  test('With `createNotes`, a note whose id was erased is left out', async () => {
    const { corrections, directory, importer } = clinic().records;
    await directory.put('Note', { id: 'erased', patientId: 'ben' });
    const why = { by: 'Practitioner/ada', reason: 'Asked.' } as const;
    await corrections.erase({ resourceType: 'Patient', resourceId: 'ben', ...why });
    const noted = { ...immunization, id: 'a', extension: noteIdExtension('erased') };
    const { imported, warnings } = await importer.load([noted], { createNotes: true });
    expect(imported).toEqual({ Immunization: 1 });
    expect(warnings).toMatchObject([{ id: 'a', rule: 'left-out', expression: 'Immunization.extension' }]);
  });

  test('without a named practitioner, the rest is imported: an order or a goal with the name as it was sent', async () => {
    const eve = sourcePractitioner('eve');
    const by = (id: string) => ({ reference: `Practitioner/${id}` });
    const report = await load(
      { ...order, requester: by('gone') },
      {
        ...goal,
        expressedBy: by('gone'),
        note: [
          { text: 'Well', authorReference: by('eve') },
          { text: 'Ill', authorReference: by('lost') },
        ],
      },
      { ...goal, id: 'h', expressedBy: by('eve') },
      eve,
    );
    expect(report).toEqual({
      imported: { Practitioner: 1, Goal: 2, ServiceRequest: 1 },
      problems: [
        's: ServiceRequest.requester: There is no such practitioner.',
        'g: Goal.expressedBy: There is no such practitioner.',
        'g: Goal.note[1].authorReference: There is no such practitioner.',
      ],
    });
    expect(await clinic().records.serviceRequests.read('s')).toMatchObject({
      requester: by('gone'),
    });
  });

  test('An author or a requester keeps the `display` that the other system gives, or else gets the name in the directory', async () => {
    const doctor = { reference: 'Practitioner/ada', display: 'Dr A. King' };
    const ada = { reference: 'Practitioner/ada' };
    const report = await load(
      { ...order, requester: doctor },
      { ...order, id: 't', requester: { ...ada, display: ' ' } },
      {
        ...goal,
        expressedBy: ada,
        note: [
          { text: 'Well', authorReference: doctor },
          { text: 'Ill', authorReference: { reference: 'Practitioner/eve' } },
          { text: 'Gone', authorReference: { reference: 'Practitioner/gone', display: 'Dr Gone' } },
        ],
      },
      sourcePractitioner('eve', 'Eve Hill'),
    );
    expect(report.imported).toEqual({ Practitioner: 1, Goal: 1, ServiceRequest: 2 });
    const { serviceRequests, goals } = clinic().records;
    expect((await serviceRequests.read('s')).requester?.display).toBe('Dr A. King');
    expect((await serviceRequests.read('t')).requester?.display).toBe('Ada Byron');
    const { expressedBy, note = [] } = await goals.read('g');
    const displays = [expressedBy, ...note.map(({ authorReference }) => authorReference)];
    expect(displays.map((author) => author?.display)).toEqual([
      ...['Ada Byron', 'Dr A. King', 'Eve Hill', 'Dr Gone'],
    ]);
  });

  test('Where there is neither, the reference has no `display`', async () => {
    const gone = { reference: 'Practitioner/gone' };
    await load({ ...order, requester: gone }, { ...goal, expressedBy: gone });
    const { serviceRequests, goals } = clinic().records;
    const authors = [(await serviceRequests.read('s')).requester, (await goals.read('g')).expressedBy];
    expect(authors).toEqual([1, 2].map(() => ({ ...gone, type: 'Practitioner' })));
  });

  test('An id that belongs to a record of another patient is reported; so is a period that ends before it begins', async () => {
    await load(goal);
    const period = { start: '2026-05-01', end: '2026-04-01' };
    const report = await load(
      { ...goal, subject: { reference: 'Patient/ben' } },
      { ...order, occurrencePeriod: period },
    );
    expect(report).toEqual({
      imported: {},
      problems: [
        'g: Goal.id: A resource of another patient already has this id.',
        's: ServiceRequest.occurrencePeriod: The end of the period is before its start.',
      ],
    });
  });

  test('If the source has entered an order, a goal or an immunization in error, so is the record, unless it was changed here: then that is reported', async () => {
    const all = [goal, order, immunization] as const;
    const inError = [
      { ...goal, lifecycleStatus: 'entered-in-error' },
      { ...order, status: 'entered-in-error' },
      { ...immunization, status: 'entered-in-error' },
    ] as const;
    const anew = await load(...inError.map((one) => ({ ...one, id: `${one.id}-anew` })));
    expect(anew).toEqual({ imported: { Goal: 1, ServiceRequest: 1, Immunization: 1 }, problems: [] });
    await load(...all);
    const report = await clinic().records.importer.load(inError);
    expect(report).toMatchObject({ updated: { Goal: 1, ServiceRequest: 1, Immunization: 1 }, issues: [] });
    expect((await clinic().records.immunizations.read('i')).status).toBe('entered-in-error');
    expect((await clinic().records.goals.history('g')).map(({ version }) => version)).toEqual([2, 1]);
    const { issues } = await clinic().records.importer.load(all, { updates: 'all' });
    expect(issues.map(({ rule }) => rule)).toEqual(Array(3).fill('entered-in-error-here'));
    const message =
      'The source system has marked the resource as entered in error. The import did not change it.';
    await clinic().record(goalCommand({ id: 'here' }));
    expect((await load({ ...inError[0], id: 'here' })).problems).toEqual([`here: ${message}`]);
    await clinic().enterInError('Goal/here/0');
    expect((await load({ ...inError[0], id: 'here' })).problems).toEqual([]);
    const staged = { kind: 'goal', id: 'staged', patientId: 'amy', description: 'Walk' } as const;
    await clinic().discard((await clinic().stage(staged)).id);
    expect((await load({ ...inError[0], id: 'staged' })).problems).toEqual([]);
  });

  test('This holds even if the source has removed everything but the id and the status', async () => {
    const retracted = [
      { resourceType: 'Goal', id: 'g', lifecycleStatus: 'entered-in-error', subject: goal.subject },
      { resourceType: 'ServiceRequest', id: 's', status: 'entered-in-error' },
      { resourceType: 'Immunization', id: 'i', status: 'entered-in-error' },
    ] as const;
    const [stripped, , statement] = retracted;
    const withoutPatient = 'i: Immunization.patient: A required element is missing.';
    expect((await load(...retracted)).problems).toContain(withoutPatient);
    await load(goal, order, immunization);
    const { updated, problems } = await loadAll(...retracted);
    expect([updated, problems]).toEqual([{ Goal: 1, ServiceRequest: 1, Immunization: 1 }, []]);
    const { goals, serviceRequests } = clinic().records;
    expect(await goals.read('g')).toMatchObject({
      lifecycleStatus: 'entered-in-error',
      description: goal.description,
    });
    expect(await serviceRequests.read('s')).toMatchObject({ status: 'entered-in-error' });
    expect((await load(statement)).problems).toEqual([]);
    expect((await load({ ...statement, status: 'completed' })).problems).toContain(withoutPatient);
    expect((await load({ ...stripped, subject: { reference: 'Patient/ben' } })).problems).toEqual([
      'g: Goal.id: A resource of another patient already has this id.',
    ]);
    for (const subject of [{ display: 'Amy' }, { reference: 'urn:uuid:7' }, { extension: [] }])
      expect((await load({ ...stripped, subject })).problems).toEqual([]);
    expect((await load({ ...stripped, subject: 7 })).problems).toContain(
      'g: Goal.description: A required element is missing.',
    );
  });
});
