import { describe, expect, test } from 'vitest';
import { createUpdateBodySchema, toCareTeamUpdate } from '../../src/care-team/bodies.ts';
import { utc } from '../../src/fhir/date-time.ts';
import { createBodyParser } from '../../src/fhir/parse-body.ts';
import { extensionBase, role } from '../builders.ts';
import { expectInvalid, rightOf } from '../results.ts';

const parse = createBodyParser(createUpdateBodySchema(extensionBase), 'CareTeam');
const nurse = [{ coding: [role('nurse')] }];
const ann = { role: nurse, member: { reference: 'Practitioner/ann' } };
const lead = { url: `${extensionBase}/careteam-lead`, valueBoolean: true };
const withParticipant = (...participant: readonly unknown[]) => parse({ id: 'p1', participant }, 'lenient');

describe('the body of an update', () => {
  test('needs only the id', () => {
    expect(rightOf(parse({ id: 'p1' }, 'strict'))).toEqual({ id: 'p1' });
    expectInvalid(parse({}, 'lenient'), 'required at CareTeam.id');
  });

  test('is a CareTeam if it has a resourceType', () => {
    expect(rightOf(parse({ resourceType: 'CareTeam', id: 'p1' }, 'strict')).resourceType).toBe('CareTeam');
    expectInvalid(parse({ resourceType: 'Goal', id: 'p1' }, 'lenient'), 'value at CareTeam.resourceType');
  });

  test('may contain status, name and displays, even with strict handling', () => {
    const body = {
      id: 'p1',
      status: 'active',
      name: 'Care Team for Doe, Jane',
      subject: { reference: 'Patient/p1', type: 'Patient', display: 'Doe, Jane' },
      participant: [{ ...ann, member: { ...ann.member, type: 'Practitioner', display: 'Doctor ann' } }],
    };
    expect(rightOf(parse(body, 'strict'))).toEqual(body);
  });

  test('needs a reference in its subject, if it has one', () => {
    expectInvalid(parse({ id: 'p1', subject: {} }, 'lenient'), 'required at CareTeam.subject.reference');
    expectInvalid(
      parse({ id: 'p1', subject: { reference: 'Practitioner/1' } }, 'lenient'),
      'reference at CareTeam.subject.reference',
    );
  });

  test('may leave out the list of participants', () => {
    expect(rightOf(parse({ id: 'p1', participant: [] }, 'strict'))).toEqual({ id: 'p1', participant: [] });
  });
});

describe('a participant', () => {
  test('is an object', () => {
    expectInvalid(withParticipant(null), 'type at CareTeam.participant[0]');
  });

  test('may have other elements that FHIR defines, but none that FHIR does not define', () => {
    const extension = [{ ...lead, _valueBoolean: {} }];
    const sent = { ...ann, extension, onBehalfOf: { display: 'Lab' }, period: { start: '2026' } };
    expect(rightOf(withParticipant(sent)).participant).toEqual([{ ...ann, extension: [lead] }]);
    expectInvalid(
      withParticipant({ ...ann, since: '2026' }),
      'unknown-element at CareTeam.participant[0].since',
    );
  });

  test('needs a member', () => {
    expectInvalid(withParticipant({ role: nurse }), 'required at CareTeam.participant[0].member');
  });

  test('needs a role if it is a practitioner', () => {
    expectInvalid(withParticipant(ann, { member: ann.member }), 'required at CareTeam.participant[1].role');
  });

  test('needs a role if it is a practitioner, whatever else is wrong with it', () => {
    expectInvalid(
      withParticipant({ member: ann.member, misspelt: 1 }),
      'required at CareTeam.participant[0].role',
      'unknown-element at CareTeam.participant[0].misspelt',
    );
  });

  test('needs no role if it is an organization', () => {
    const participant = [{ member: { reference: 'Organization/lab' } }];
    expect(rightOf(parse({ id: 'p1', participant }, 'strict')).participant).toEqual(participant);
  });

  test('with an empty array of roles is read as one without roles', () => {
    const participant = [{ role: [], member: { reference: 'Organization/lab' } }];
    expect(rightOf(parse({ id: 'p1', participant }, 'strict')).participant).toEqual(participant);
    expectInvalid(
      withParticipant({ role: [], member: ann.member }),
      'required at CareTeam.participant[0].role',
    );
    expectInvalid(withParticipant({ role: '', member: ann.member }), 'type at CareTeam.participant[0].role');
  });

  test.each([['Practitioner/ann'], ['Organization/lab']])(
    'with a role needs a coding in it: %s',
    (reference) => {
      expectInvalid(
        withParticipant({ role: [{ coding: [] }], member: { reference } }),
        'empty at CareTeam.participant[0].role[0].coding',
      );
    },
  );

  test('needs system, code and display in the coding of its role', () => {
    expectInvalid(
      withParticipant({ ...ann, role: [{ coding: [{}] }] }),
      'required at CareTeam.participant[0].role[0].coding[0].code',
      'required at CareTeam.participant[0].role[0].coding[0].display',
      'required at CareTeam.participant[0].role[0].coding[0].system',
    );
  });

  test.each([
    'Patient/ann',
    'Device/1',
    'ann',
    'Practitioner/',
    'Practitioner/a b',
    'Practitioner/ann/_history/2',
    'https://other.example/Practitioner/ann',
    '',
  ])('has a member that is a practitioner or an organization, and not %j', (reference) => {
    expectInvalid(
      withParticipant({ role: nurse, member: { reference } }),
      'reference at CareTeam.participant[0].member.reference',
    );
  });

  test('cannot have a type that contradicts its reference', () => {
    const member = { reference: 'Practitioner/ann', type: 'Organization' };
    expectInvalid(
      withParticipant({ role: nurse, member }),
      'reference-type at CareTeam.participant[0].member.type',
    );
  });

  test('cannot have a type that contradicts its reference, even if other elements are dropped', () => {
    const member = { reference: 'Practitioner/ann', type: 'Organization', identifier: { value: '7' } };
    expectInvalid(
      withParticipant({ role: nurse, member }),
      'reference-type at CareTeam.participant[0].member.type',
    );
  });

  test('has a lead marker of the listed URL, with its value', () => {
    expectInvalid(
      withParticipant({ ...ann, extension: [{ url: 'urn:other', valueBoolean: true }] }),
      'value at CareTeam.participant[0].extension[0].url',
    );
    expectInvalid(
      withParticipant({ ...ann, extension: [{ url: lead.url }] }),
      'required at CareTeam.participant[0].extension[0].valueBoolean',
    );
    expectInvalid(
      withParticipant({ ...ann, extension: [{ ...lead, valueBoolean: 'true' }] }),
      'type at CareTeam.participant[0].extension[0].valueBoolean',
    );
  });

  test('has at most one lead marker', () => {
    expectInvalid(
      withParticipant({ ...ann, extension: [lead, lead] }),
      'many at CareTeam.participant[0].extension',
    );
  });
});

describe('a requested update', () => {
  const updateOf = (body: object) =>
    toCareTeamUpdate(rightOf(parse({ id: 'p1', ...body }, 'lenient')), body, { zone: utc, now: () => 0 });
  const [participant] = updateOf({ participant: [ann] }).participants;

  test('has the codings of all of its roles', () => {
    const [nurseOrDoctor, coach] = [[role('nurse'), role('doctor')], [role('coach')]];
    const roles = [{ coding: nurseOrDoctor }, { coding: coach }];
    const [{ codings } = { codings: [] }] = updateOf({ participant: [{ ...ann, role: roles }] }).participants;
    expect(codings.map(({ code }) => code)).toEqual(['nurse', 'doctor', 'coach']);
  });

  test('without subject and participants removes all participants', () => {
    expect(updateOf({})).toEqual({ id: 'p1', patientId: undefined, participants: [] });
  });

  test('contains its subject, and its participants with their members and roles', () => {
    const subject = { reference: 'Patient/p2' };
    const lab = { member: { reference: 'Organization/lab', display: 'The Lab' } };
    expect(updateOf({ subject, participant: [ann, lab] })).toEqual({
      id: 'p1',
      patientId: 'p2',
      participants: [
        {
          member: { type: 'Practitioner', id: 'ann' },
          codings: [{ system: 'https://clinic.example/roles', code: 'nurse' }],
          lead: undefined,
          hasEnded: false,
        },
        { member: { type: 'Organization', id: 'lab' }, codings: [], lead: undefined, hasEnded: false },
      ],
    });
  });

  test.each([
    ['true', [lead], true],
    ['false', [{ ...lead, valueBoolean: false }], false],
    ['nothing, by an empty extension', [], undefined],
  ])('requests the lead as %s', (_what, extension, said) => {
    expect(updateOf({ participant: [{ ...ann, extension }] }).participants).toEqual([
      { ...participant, lead: said, hasEnded: false },
    ]);
  });
});
