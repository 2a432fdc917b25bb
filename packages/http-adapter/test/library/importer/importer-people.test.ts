import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { createRecords } from '../../clinic.ts';
import { onEveryStore } from '../../stores.ts';
import { createLoader, leftOutMessage } from '../host/create-loader.ts';
import {
  sourceCareTeam,
  sourceEncounter,
  sourceGoal,
  sourceImmunization,
  sourceOrder,
  sourcePatient,
} from './source-resources.ts';

const npi = 'http://hl7.org/fhir/sid/us-npi';
const identifier = [{ system: npi, value: '9' }];
const doctor = { resourceType: 'Practitioner', id: 'doc', name: [{ family: 'Okafor' }], identifier };
const role = {
  resourceType: 'PractitionerRole',
  id: 'role',
  practitioner: { reference: 'Practitioner/doc' },
};
const shop = {
  resourceType: 'Organization',
  id: 'shop',
  name: 'Pharmacy',
  identifier: [{ system: 'urn:shops', value: 'A 1' }],
};
const contained = [
  { resourceType: 'Practitioner', id: 'p', identifier },
  { resourceType: 'PractitionerRole', id: 'r', practitioner: { identifier: identifier[0] } },
];

onEveryStore('Decisions: Import', (clinic) => {
  const load = createLoader(clinic);

  const mrn = { system: 'urn:x:mrn', value: 'A-1' };
  const patientInLoad = { ...sourcePatient('eve', 'Eve Hill'), identifier: [mrn] };
  describe('A patient who is named by an identifier is found in the load or in the clinic', () => {
    test.each<[what: string, subject: object, rest?: object]>([
      ['a condition', { reference: 'Patient?identifier=urn:x:mrn|A-1' }],
      ['an escaped condition', { reference: 'Patient?identifier=urn%3Ax%3Amrn%7CA-1'.replace('%7C', '|') }],
      ['an identifier', { identifier: mrn }],
      ['an identifier with a type', { type: 'Patient', identifier: mrn }],
      [
        'a contained patient',
        { reference: '#p' },
        { contained: [{ resourceType: 'Patient', id: 'p', identifier: [mrn] }] },
      ],
    ])('%s', async (_what, subject, rest = {}) => {
      const goal = { ...sourceGoal('nobody'), ...rest, subject };
      const encounter = { ...sourceEncounter('visit', 'nobody'), ...rest, subject };
      const dose = { ...sourceImmunization('nobody'), ...rest, patient: subject };
      const order = { ...sourceOrder('nobody'), ...rest, subject };
      // The patient is in the load, after those who name her.
      const inLoad = await load(goal, dose, order, encounter, patientInLoad);
      expect(inLoad).toEqual({
        imported: { Goal: 1, Immunization: 1, ServiceRequest: 1, Encounter: 1, Patient: 1 },
        problems: [],
      });
      // She is in the clinic.
      expect(await load({ ...goal, id: 'later' })).toEqual({ imported: { Goal: 1 }, problems: [] });
      expect(await clinic().records.goals.read('later')).toMatchObject({
        subject: { reference: 'Patient/eve' },
      });
    });
    test('A reference by the id counts, whatever identifier is beside it', async () => {
      await load(patientInLoad, {
        ...sourceGoal('amy'),
        subject: { reference: 'Patient/amy', identifier: mrn },
      });
      expect(await clinic().records.goals.read('g')).toMatchObject({ subject: { reference: 'Patient/amy' } });
    });
    test('An identifier that nobody has is reported', async () => {
      const named = { ...sourceGoal('amy'), subject: { identifier: mrn } };
      expect((await load(named)).problems).toEqual(['g: Goal.subject: There is no such patient.']);
    });
  });

  test('If more than one patient has it, the resource is refused', async () => {
    const named = { ...sourceGoal('amy'), subject: { identifier: mrn } };
    const problem =
      'g: Goal.subject: More than one patient has the identifier by which the resource names its patient.';
    const twin = { ...patientInLoad, id: 'twin' };
    expect(await load(patientInLoad, twin, named)).toEqual({ imported: { Patient: 2 }, problems: [problem] });
    expect((await load(named)).problems).toEqual([problem]);
    await clinic().records.corrections.mergePatients({
      ...{ patientId: 'twin', toPatientId: 'eve', by: 'Practitioner/ada', reason: 'One person' },
    });
    expect(await load(named)).toEqual({ imported: { Goal: 1 }, problems: [] });
  });

  describe('A person or an organization that a resource names by an identifier, a condition, a role or a contained resource is the one of the same load', () => {
    const forms: readonly (readonly [string, object])[] = [
      ['an identifier', { type: 'Practitioner', identifier: identifier[0] }],
      ['an identifier without a type', { identifier: identifier[0] }],
      ['a condition', { reference: `Practitioner?identifier=${npi}|9` }],
      ['an escaped condition', { reference: `Practitioner?identifier=${encodeURIComponent(npi)}|9` }],
      ['a role', { reference: 'PractitionerRole/role' }],
      ['a contained practitioner', { reference: '#p' }],
      ['a contained role', { reference: '#r' }],
    ];
    test.each(forms)('%s: the requester of an order, whatever comes first', async (_form, requester) => {
      const order = sourceOrder('eve', { requester, contained });
      const { imported, problems } = await load(order, sourcePatient('eve'), role, doctor);
      expect(problems).toEqual([]);
      expect(imported).toEqual({ Patient: 1, Practitioner: 1, ServiceRequest: 1 });
      const read = await clinic().records.serviceRequests.read('s');
      expect(read.requester).toEqual({
        reference: 'Practitioner/doc',
        type: 'Practitioner',
        display: 'Okafor',
      });
    });
    test('who expressed a goal, the author of a note, and the performer of an order and of a dose', async () => {
      const who = { reference: `Practitioner?identifier=${npi}|9` };
      const note = [{ text: 'Walks', authorReference: who }];
      const goal = sourceGoal('eve', { expressedBy: who, note });
      const order = sourceOrder('eve', { performer: [who], note });
      const dose = sourceImmunization('eve', { performer: [{ actor: who }], note });
      await load(goal, order, dose, sourcePatient('eve'), doctor);
      const { goals, serviceRequests, immunizations } = clinic().records;
      const [read, ordered, given] = [
        await goals.read('g'),
        await serviceRequests.read('s'),
        await immunizations.read('i'),
      ];
      const people = [read.expressedBy, ordered.performer?.[0], given.performer?.[0]?.actor];
      const authors = [read, ordered, given].map((resource) => resource.note?.[0]?.authorReference);
      const named = { reference: 'Practitioner/doc' };
      expect([...people, ...authors]).toMatchObject([named, named, named, named, named, named]);
    });
    test('a member of a team', async () => {
      const member = { reference: 'Organization?identifier=urn:shops|A%201' };
      await load(sourceCareTeam('eve', [{ member }]), shop, sourcePatient('eve'));
      const { participant } = await clinic().records.careTeams.read('eve');
      expect(participant).toMatchObject([
        { member: { reference: 'Organization/shop', display: 'Pharmacy' } },
      ]);
    });
  });

  test.each([
    ['nobody', [doctor], { reference: `Practitioner?identifier=${npi}|10` }],
    ['two', [doctor, { ...doctor, id: 'other' }], { reference: `Practitioner?identifier=${npi}|9` }],
    ['somebody without an identifier', [doctor], { reference: '#q' }],
  ])(
    'Where it is %s, the rest is imported, and the person is left out and reported',
    async (_who, people, requester) => {
      const { imported, problems } = await load(
        sourceOrder('eve', { requester }),
        sourcePatient('eve'),
        ...people,
      );
      expect(imported).toMatchObject({ ServiceRequest: 1 });
      expect(problems).toEqual([`s: ServiceRequest.requester: ${leftOutMessage}`]);
      expect(await clinic().records.serviceRequests.read('s')).not.toHaveProperty('requester');
    },
  );

  test.each([
    { display: 'Dr. Okafor' },
    { reference: '#q', display: 'Dr. Okafor' },
    { reference: 'PractitionerRole/none', display: 'Dr. Okafor' },
    { reference: 'https://elsewhere.example/Practitioner/9', display: 'Dr. Okafor' },
    { reference: `Practitioner?identifier=${npi}|10`, display: 'Dr. Okafor' },
  ])('Somebody who is not found keeps the name: %o', async (who) => {
    const goal = sourceGoal('eve', { expressedBy: who, note: [{ text: 'Walks', authorReference: who }] });
    const { problems } = await load(sourceOrder('eve', { requester: who }), goal, sourcePatient('eve'));
    expect(problems).toEqual([]);
    const { requester } = await clinic().records.serviceRequests.read('s');
    const { expressedBy, note } = await clinic().records.goals.read('g');
    const shown = { display: 'Dr. Okafor' };
    expect([requester, expressedBy, note?.[0]?.authorReference]).toEqual([shown, shown, shown]);
    const lines: string[] = [];
    for await (const { json } of (await clinic().records.exporter.begin()).resources) lines.push(json);
    const again = createRecords(createMemoryStore());
    await again.importer.load(lines);
    expect((await again.serviceRequests.read('s')).requester).toEqual(shown);
  });

  test('A role whose practitioner is a role again names nobody', async () => {
    const circle = (reference: string) => ({ resourceType: 'PractitionerRole', practitioner: { reference } });
    const roles = [
      { ...circle('PractitionerRole/b'), id: 'a' },
      { ...circle('PractitionerRole/a'), id: 'b' },
    ];
    for (const [id, reference] of [
      ['s1', 'PractitionerRole/a'],
      ['s2', '#r'],
    ] as const) {
      const inItself = [{ ...circle('#r'), id: 'r' }];
      const order = sourceOrder('eve', { id, requester: { reference }, contained: inItself });
      const { imported, problems } = await load(order, sourcePatient('eve'), ...roles);
      expect(imported).toMatchObject({ ServiceRequest: 1 });
      expect(problems).toEqual([`${id}: ServiceRequest.requester: ${leftOutMessage}`]);
    }
  });

  test('An identifier of a practitioner and of an organization names neither without a type', async () => {
    const requester = { identifier: identifier[0] };
    const { problems } = await load(sourceOrder('eve', { requester }), sourcePatient('eve'), doctor, {
      ...shop,
      identifier,
    });
    expect(problems).toEqual([`s: ServiceRequest.requester: ${leftOutMessage}`]);
  });
});
