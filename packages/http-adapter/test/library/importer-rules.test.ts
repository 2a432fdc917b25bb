import { orThrow } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { membersOf } from '../answers.ts';
import { ada, bob, lab, lead, noteId, participant, team } from '../builders.ts';
import { cardiologist, nurse } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';
import {
  foreignCareTeam,
  foreignEncounter,
  foreignGoal,
  foreignImmunization,
  foreignOrder,
  foreignPatient,
  foreignPractitioner,
} from './foreign.ts';
import { leftOut, loading } from './loading.ts';

const careTeam = (id: string, status: string, ...participants: readonly object[]) =>
  foreignCareTeam('amy', participants, { id, status });
const order = foreignOrder('amy');
const goal = foreignGoal('amy', { achievementStatus: { coding: [{ code: 'in-progress' }] } });
const immunization = foreignImmunization('amy');

onEveryStore('Decisions: Import', (clinic) => {
  const load = loading(clinic);
  const participants = async (id: string) => membersOf(await orThrow(clinic().records.careTeams.read(id)));

  test('with `implicitRules`, or with a `doNotPerform` or `isSubpotent` of true is reported, and nothing of it is taken', async () => {
    const report = await load(
      { ...order, doNotPerform: true },
      { ...immunization, isSubpotent: true },
      { ...goal, implicitRules: 'https://elsewhere.example/rules' },
    );
    expect(report).toEqual({
      taken: {},
      problems: [
        's: ServiceRequest.doNotPerform: The value is none of those that are allowed here.',
        'g: The resource was written under rules of its own, which may change what it means.',
        'i: Immunization.isSubpotent: The value is none of those that are allowed here.',
      ],
    });
    const { taken } = await load({ ...order, doNotPerform: false }, { ...immunization, isSubpotent: false });
    expect(taken).toEqual({ ServiceRequest: 1, Immunization: 1 });
  });

  test('One that is tagged as SUBSETTED holds only a part, and is reported, too: nothing of it is taken', async () => {
    const system = 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue';
    expect(await load({ ...goal, meta: { tag: [{ system, code: 'SUBSETTED' }] } })).toEqual({
      taken: {},
      problems: ['g: Only a part of the resource was sent.'],
    });
  });

  test('nor of an encounter that is entered in error, so that what names it names none; one that is here already stays', async () => {
    const visit = foreignEncounter('visit', 'amy');
    const inError = { ...visit, status: 'entered-in-error' };
    const problem = 'visit: Encounter.status: The value is none of those that are allowed here.';
    expect(await load({ ...immunization, encounter: { reference: 'Encounter/visit' } }, inError)).toEqual({
      taken: {},
      problems: [problem, 'i: Immunization.encounter: There is no such encounter.'],
    });
    await load({ ...visit, status: 'finished' });
    expect((await load(inError)).problems).toEqual([problem]);
    expect(await orThrow(clinic().records.directory.read('Encounter', 'visit'))).not.toBeNull();
  });

  test('A goal counts as committed when it was started, else when it got its status, and never ahead of now: so what the clinic commits afterwards is the latest', async () => {
    await load({ ...goal, startDate: '2027-01-01' });
    const { goals } = clinic().records;
    await clinic().record({
      kind: 'updateGoal',
      goalId: 'g',
      achievementStatus: 'not-attainable',
      dueDate: '2026-03-15',
    });
    expect(await orThrow(goals.read('g'))).toMatchObject({
      startDate: '2027-01-01',
      achievementStatus: { coding: [{ code: 'not-attainable' }] },
      target: [{ dueDate: '2026-03-15' }],
    });
  });

  test('of those that imports give, the one nearest to active counts (active, proposed, suspended, inactive, entered-in-error), in whatever order they come; in an active team, whose time is over joins as inactive, and whose time has not come as proposed', async () => {
    const over = { ...ada, period: { end: '2020' } };
    const later = { ...participant('Practitioner/cyd', cardiologist), period: { start: '2030' } };
    const teams = [
      careTeam('old', 'inactive', ada, participant('Organization/lab', cardiologist)),
      careTeam('over', 'active', over),
      careTeam('new', 'active', ada, bob, later),
    ];
    expect(await load(...teams)).toEqual({ taken: { CareTeam: 2 }, problems: [] });
    for (const again of [teams, teams.toReversed()]) {
      expect(await load(...again)).toEqual({ taken: {}, problems: [] });
      expect(await participants('amy')).toEqual(['Practitioner/ada', 'Practitioner/bob']);
      expect(await participants('amy.inactive')).toEqual(['Organization/lab']);
      expect(await participants('amy.proposed')).toEqual(['Practitioner/cyd']);
    }
  });

  test('Whoever the clinic has added or changed stays as it is; who is then active elsewhere and not here is reported', async () => {
    const team = careTeam('new', 'active', ada);
    await load(team);
    const { setParticipantStatus } = clinic().records.careTeams;
    await orThrow(setParticipantStatus('amy', 'Practitioner/ada', 'inactive'));
    expect((await load(team)).problems).toEqual([
      'new: CareTeam.participant[0]: The member is in the team already, and is not active: it was left as it is.',
    ]);
    expect(await participants('amy.inactive')).toEqual(['Practitioner/ada']);
  });

  test("The interface's own marker makes a practitioner the lead, where the team has none and is all by import; else it is left out, and reported", async () => {
    const leads = async () =>
      ((await orThrow(clinic().records.careTeams.read('amy'))).participant ?? []).map(
        ({ extension }) => extension?.[0]?.valueBoolean,
      );
    const both = [
      { ...ada, extension: lead(true) },
      { ...bob, extension: lead(false) },
    ];
    const team = careTeam('t', 'active', ...both);
    expect(await load(team)).toEqual({ taken: { CareTeam: 1 }, problems: [] });
    expect(await load(team)).toEqual({ taken: {}, problems: [] });
    expect(await leads()).toEqual([true, false]);
    const told = `CareTeam.participant[0].extension: ${leftOut}`;
    const report = await load(careTeam('u', 'active', { ...bob, extension: lead(true) }));
    expect(report).toEqual({ taken: {}, problems: [`u: ${told}`] });
    const { careTeams } = clinic().records;
    const withoutLead = both.map((one) => ({ ...one, extension: lead(false) }));
    await orThrow(careTeams.update('amy', { id: 'amy', participant: withoutLead }));
    expect(await load(team)).toEqual({ taken: {}, problems: [`t: ${told}`] });
    expect(await leads()).toEqual([false, false]);
  });

  test('a care team that another instance answers is taken as it is', async () => {
    const { careTeams } = clinic().records;
    await orThrow(careTeams.update('amy', team(ada, lab)));
    const { participant: answered, ...rest } = await orThrow(careTeams.read('amy'));
    const theirs = { ...rest, id: 'ben', subject: { reference: 'Patient/ben' }, participant: answered };
    expect(await load(theirs)).toEqual({ taken: { CareTeam: 1 }, problems: [] });
    expect((await orThrow(careTeams.read('ben'))).participant).toEqual(answered);
  });

  test("An immunization stands in the note that the interface's own extension names, where that is of the patient, and of the encounter that is named; else the note is left out, and reported", async () => {
    const { immunizations, directory } = clinic().records;
    await orThrow(directory.putEncounter({ id: 'visit', patientId: 'amy' }));
    const noted = (id: string, note: string, encounterId?: string) => ({
      ...immunization,
      id,
      extension: noteId(note),
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
      ...['c', 'd', 'e'].map((id) => `${id}: Immunization.extension: ${leftOut}`),
      'f: Immunization.encounter: There is no such encounter.',
    ];
    expect(await load(...all)).toEqual({ taken: { Immunization: 5 }, problems });
    const placeOf = async (id: string) => {
      const { extension, encounter } = await orThrow(immunizations.read(id));
      return [extension[0]?.valueId, encounter?.reference];
    };
    for (const id of ['a', 'b']) expect(await placeOf(id)).toEqual(['note-amy', 'Encounter/visit-amy']);
    expect(await placeOf('e')).toEqual([expect.not.stringContaining('note-amy'), 'Encounter/visit']);
    expect(await load(...all)).toEqual({ taken: {}, problems });
    const answered = await Promise.all(['a', 'c', 'e'].map((id) => orThrow(immunizations.read(id))));
    expect(await load(...answered)).toEqual({ taken: {}, problems: [] });
  });

  test('without a practitioner who is named, the rest is taken: a care team with its other participants', async () => {
    const eve = foreignPractitioner('eve');
    const report = await load(
      careTeam(
        't',
        'active',
        participant('Practitioner/gone', cardiologist),
        participant('Practitioner/eve', nurse),
      ),
      careTeam('u', 'inactive', participant('Practitioner/eve', nurse)),
      eve,
    );
    expect(report).toEqual({
      taken: { Practitioner: 1, CareTeam: 2 },
      problems: ['t: CareTeam.participant[0]: There is no such practitioner.'],
    });
    expect(await participants('amy')).toEqual(['Practitioner/eve']);
  });

  test('without a practitioner who is named, the rest is taken: an order or a goal with the name as it was sent', async () => {
    const eve = foreignPractitioner('eve');
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
      taken: { Practitioner: 1, Goal: 2, ServiceRequest: 1 },
      problems: [
        's: ServiceRequest.requester: There is no such practitioner.',
        'g: Goal.expressedBy: There is no such practitioner.',
        'g: Goal.note[1].authorReference: There is no such practitioner.',
      ],
    });
    expect(await orThrow(clinic().records.serviceRequests.read('s'))).toMatchObject({
      requester: by('gone'),
    });
  });

  test('An id that a record of another patient has is reported; so is a period that ends before it begins', async () => {
    await load(goal);
    const period = { start: '2026-05-01', end: '2026-04-01' };
    const report = await load(
      { ...goal, subject: { reference: 'Patient/ben' } },
      { ...order, occurrencePeriod: period },
    );
    expect(report).toEqual({
      taken: {},
      problems: [
        'g: Goal.id: A resource of this id is here already, of another patient.',
        's: ServiceRequest.occurrencePeriod: The end of the period lies before its start.',
      ],
    });
  });

  test('In a Bundle, a reference to another entry, by its `fullUrl`, is to that resource', async () => {
    const eve = foreignPatient('eve');
    const entry = [
      { fullUrl: 'urn:uuid:1', resource: { ...goal, subject: { reference: 'urn:uuid:2' } } },
      { fullUrl: 'urn:uuid:2', resource: eve },
    ];
    const sent = JSON.stringify({ resourceType: 'Bundle', type: 'transaction', entry });
    expect(await load(sent)).toEqual({ taken: { Patient: 1, Goal: 1 }, problems: [] });
    const { subject } = await orThrow(clinic().records.goals.read('g'));
    expect(subject.reference).toBe('Patient/eve');
  });

  test('An entry of another server than those before it, in the whole load, whose ids may mean others, a deletion, and a Bundle of history are reported, and nothing of them is taken', async () => {
    const of = (server: string, resource: { id: string }) => ({
      fullUrl: `https://${server}.example/Goal/${resource.id}`,
      resource,
    });
    const deletion = { request: { method: 'DELETE', url: 'Goal/i' } };
    const entry = [of('here', goal), of('there', { ...goal, id: 'h' }), deletion];
    expect(await load({ resourceType: 'Bundle', id: 'b', entry })).toEqual({
      taken: { Goal: 1 },
      problems: [
        'h: The entry is of another server than those before it, whose ids may mean others.',
        'i: The other system has deleted the resource. Nothing is deleted here.',
      ],
    });
    const history = { resourceType: 'Bundle', id: 'b', type: 'history', entry: [{ resource: order }] };
    expect(await load(history)).toEqual({
      taken: {},
      problems: ['b: A Bundle of this kind holds what was, and what was deleted: send what is.'],
    });
  });

  test('An order, a goal or an immunization that is entered in error there, and not here, is reported, and stays as it is', async () => {
    const all = [goal, order, immunization] as const;
    const inError = [
      { ...goal, lifecycleStatus: 'entered-in-error' },
      { ...order, status: 'entered-in-error' },
      { ...immunization, status: 'entered-in-error' },
    ] as const;
    const anew = await load(...inError.map((one) => ({ ...one, id: `${one.id}-anew` })));
    expect(anew).toEqual({ taken: { Goal: 1, ServiceRequest: 1, Immunization: 1 }, problems: [] });
    await load(...all);
    const told = 'The resource is entered in error there, and was left as it is here.';
    expect(await load(...inError)).toEqual({
      taken: {},
      problems: [`g: ${told}`, `s: ${told}`, `i: ${told}`],
    });
    expect((await orThrow(clinic().records.immunizations.read('i'))).status).toBe('completed');
    await clinic().enterInError('Goal/g/0');
    expect((await load(inError[0])).problems).toEqual([]);
  });

  test('even where the other system has stripped it of all but its id and status', async () => {
    const told = 'The resource is entered in error there, and was left as it is here.';
    const retracted = [
      { resourceType: 'Goal', id: 'g', lifecycleStatus: 'entered-in-error', subject: goal.subject },
      { resourceType: 'ServiceRequest', id: 's', status: 'entered-in-error' },
      { resourceType: 'Immunization', id: 'i', status: 'entered-in-error' },
    ] as const;
    const [stripped, , statement] = retracted;
    const withoutPatient = 'i: Immunization.patient: A required element is missing.';
    expect((await load(...retracted)).problems).toContain(withoutPatient);
    await load(goal, order, immunization);
    expect(await load(...retracted)).toEqual({
      taken: {},
      problems: [`g: ${told}`, `s: ${told}`, `i: ${told}`],
    });
    await clinic().enterInError('Immunization/i/0');
    expect((await load(statement)).problems).toEqual([]);
    expect((await load({ ...statement, status: 'completed' })).problems).toContain(withoutPatient);
    expect((await load({ ...stripped, subject: { reference: 'Patient/ben' } })).problems).toEqual([
      'g: Goal.id: A resource of this id is here already, of another patient.',
    ]);
    for (const subject of [{ display: 'Amy' }, { reference: 'urn:uuid:7' }, { extension: [] }])
      expect((await load({ ...stripped, subject })).problems).toEqual([`g: ${told}`]);
    expect((await load({ ...stripped, subject: 7 })).problems).toContain(
      'g: Goal.description: A required element is missing.',
    );
  });

  test('so is a member of a care team that is entered in error there', async () => {
    const inError = careTeam(
      't',
      'entered-in-error',
      ada,
      bob,
      participant('Organization/lab', cardiologist),
    );
    await load(careTeam('t', 'active', ada));
    const told =
      't: CareTeam.participant[0]: The resource is entered in error there, and was left as it is here.';
    expect(await load(inError)).toEqual({ taken: { CareTeam: 1 }, problems: [told] });
    expect(await load(inError)).toEqual({ taken: {}, problems: [told] });
    expect(await participants('amy')).toEqual(['Practitioner/ada']);
    expect(await participants('amy.entered-in-error')).toEqual(['Practitioner/bob', 'Organization/lab']);
    await orThrow(
      clinic().records.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'entered-in-error'),
    );
    expect((await load(inError)).problems).toEqual([]);
  });

  test('Nor is anything taken of a Bundle that has the like outside of its resources', async () => {
    const modifierExtension = [{ url: 'https://elsewhere.example/negated', valueBoolean: true }];
    const entry = [{ resource: goal }];
    const bundle = { resourceType: 'Bundle', id: 'b', entry };
    const modified = 'A modifierExtension, which is not understood, may change what the resource means.';
    const ruled = 'The resource was written under rules of its own, which may change what it means.';
    for (const [sent, problem] of [
      [{ ...bundle, modifierExtension }, modified],
      [{ ...bundle, entry: [{ ...entry[0], modifierExtension }] }, modified],
      [{ ...bundle, implicitRules: 'x' }, ruled],
    ] as const) {
      expect(await load(sent)).toEqual({ taken: {}, problems: [`b: ${problem}`] });
    }
    const inResource = { ...bundle, entry: [...entry, { resource: { ...order, modifierExtension } }] };
    expect(await load(inResource)).toEqual({ taken: { Goal: 1 }, problems: [`s: ${modified}`] });
  });

  test('tells of a care team whose subject is no patient, or none who is known', async () => {
    const of = (reference: string) => ({ resourceType: 'CareTeam', id: 't', subject: { reference } });
    expect(await load(of('Group/g'), of('Patient/nobody'))).toEqual({
      taken: {},
      problems: [
        't: CareTeam.subject: The value is none of those that are allowed here.',
        't: CareTeam.subject: There is no such patient.',
      ],
    });
  });

  test('is not stopped by a resource however deep it is, and tells of one without a type', async () => {
    const deep = `{"resourceType":"Device","id":"d","x":${'['.repeat(50_000)}${']'.repeat(50_000)}}`;
    const circle: Record<string, unknown> = { resourceType: 'Device', id: 'd' };
    circle.partOf = [circle];
    let bundle: object = goal;
    for (let depth = 0; depth < 20_000; depth += 1) {
      bundle = { resourceType: 'Bundle', entry: [{ resource: bundle }] };
    }
    const inItself: { resourceType: string; entry: unknown[] } = { resourceType: 'Bundle', entry: [] };
    inItself.entry.push({ resource: inItself }, { fullUrl: 'urn:x' });
    expect(await load(inItself)).toEqual({
      taken: {},
      problems: [': This is no FHIR resource with a resourceType and an id.'],
    });
    const { notKept } = await orThrow(
      clinic().records.importer.load([{ resourceType: 'Bundle', id: 'b', entry: { resource: goal } }]),
    );
    expect(notKept).toEqual({ Bundle: 1 });
    const deepInBundle = `{"resourceType":"Bundle","entry":[{"resource":${deep}}]}`;
    const report = await load(deep, deepInBundle, circle, { resourceType: '' }, bundle, immunization);
    expect(report).toEqual({
      taken: { Goal: 1, Immunization: 1 },
      problems: [': This is no FHIR resource with a resourceType and an id.'],
    });
  });
});
