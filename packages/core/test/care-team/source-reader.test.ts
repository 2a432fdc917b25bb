import { describe, expect, test } from 'vitest';
import { createCareTeamSourceReader } from '../../src/care-team/source.ts';
import { utc } from '../../src/fhir/date-time.ts';
import { leftOutIssue } from '../../src/fhir/issues.ts';
import { extensionBase, role } from '../builders.ts';
import { expectInvalid, rightOf } from '../results.ts';

const roles = [role('nurse'), role('doctor')];
const read = createCareTeamSourceReader({ now: () => Date.UTC(2026, 2, 1), zone: utc, extensionBase, roles });
const careTeam = (rest: object = {}) => ({
  resourceType: 'CareTeam',
  id: 'foreign-1',
  subject: { reference: 'Patient/p1' },
  ...rest,
});

describe("another system's care team", () => {
  test('belongs to its subject, and is active if it has no status', () => {
    const participant = [{ member: { reference: 'Organization/lab' } }];
    const statusOf = (rest: object) =>
      rightOf(read(careTeam({ participant, ...rest }))).value.participants.map(({ status }) => status);
    expect(rightOf(read(careTeam()))).toEqual({
      value: { patientId: 'p1', status: 'active', participants: [] },
      issues: [],
    });
    expect(statusOf({})).toEqual(['active']);
    expect(statusOf({ status: 'suspended' })).toEqual(['suspended']);
  });

  test.each([
    ['over', { end: '2026-02-28' }, 'active', 'inactive'],
    ['over in this moment', { end: '2026-02-28T23:59:59.999Z' }, 'active', 'inactive'],
    ['not over', { end: '2026-03-01' }, 'active', 'active'],
    ['begun', { start: '2026-03-01' }, 'active', 'active'],
    ['still to come', { start: '2026-03-02', end: '2027' }, 'active', 'proposed'],
    ['over, in a team without active members', { end: '2019' }, 'entered-in-error', 'entered-in-error'],
  ])('gives a participant whose period is %s its own status', (_what, period, status, own) => {
    const statusOf = (rest: object, ofOne: object) => {
      const participant = [{ member: { reference: 'Organization/lab' }, ...ofOne }];
      return rightOf(read(careTeam({ status, participant, ...rest }))).value.participants[0]?.status;
    };
    expect(statusOf({}, { period })).toBe(own);
    expect(statusOf({ period }, {})).toBe(own);
  });

  test('with several configured roles of a participant gives the first, and reports the others', () => {
    const several = [
      { coding: [role('doctor')] },
      { coding: [role('nurse')] },
      { coding: [role('doctor'), role('nurse')] },
    ];
    const participant = [{ member: { reference: 'Practitioner/ann' }, role: several }];
    const { value: team, issues } = rightOf(read(careTeam({ participant })));
    expect(team.participants[0]?.role).toEqual(role('doctor'));
    expect(issues).toEqual([
      leftOutIssue('CareTeam.participant[0].role[1].coding[0]'),
      leftOutIssue('CareTeam.participant[0].role[2].coding[1]'),
    ]);
  });

  test('has a configured role also under the URL that its code system had before R4', () => {
    const inR4 = { ...role('nurse'), system: 'http://terminology.hl7.org/CodeSystem/participant-role' };
    const readRole = createCareTeamSourceReader({
      now: () => Date.UTC(2026, 2, 1),
      zone: utc,
      extensionBase,
      roles: [inR4],
    });
    const sent = { coding: [{ system: 'http://hl7.org/fhir/participant-role', code: 'nurse' }] };
    const participant = [{ member: { reference: 'Practitioner/ann' }, role: [sent] }];
    const { value: team, issues } = rightOf(readRole(careTeam({ participant })));
    expect([team.participants[0]?.role, issues]).toEqual([inR4, []]);
  });

  test('with a role that is not configured is reported, unless a practitioner has no other role', () => {
    const faultsOf = (reference: string, ...role: object[]) => {
      const participant = [{ member: { reference }, role }];
      return rightOf(read(careTeam({ participant }))).issues;
    };
    const helper = { text: 'Helper' };
    const inTwoSystems = { coding: [{ system: 'urn:x', code: '7' }, role('nurse')] };
    expect(faultsOf('Organization/lab', helper)).toEqual([leftOutIssue('CareTeam.participant[0].role[0]')]);
    for (const member of ['Organization/lab', 'Practitioner/ann']) {
      expect(faultsOf(member, inTwoSystems, helper)).toEqual([
        leftOutIssue('CareTeam.participant[0].role[1]'),
      ]);
      expect(faultsOf(member, inTwoSystems)).toEqual([]);
    }
    expect(faultsOf('Organization/lab')).toEqual([]);
    expect(faultsOf('Patient/p1', helper, inTwoSystems)).toEqual([]);
    expect(faultsOf('Practitioner/ann', helper)).toEqual([]);
  });

  test('has the member of a reference with a version', () => {
    const participant = [{ member: { reference: 'Practitioner/ann/_history/12' } }];
    const subject = { reference: 'Patient/p1/_history/1' };
    expect(rightOf(read(careTeam({ participant, subject }))).value).toMatchObject({
      patientId: 'p1',
      participants: [{ member: { type: 'Practitioner', id: 'ann' } }],
    });
  });

  test.each([
    ['true', [{ url: `${extensionBase}/careteam-lead`, valueBoolean: true }], true],
    [
      'true, among others',
      [7, { url: 'urn:x' }, { url: `${extensionBase}/careteam-lead`, valueBoolean: true }],
      true,
    ],
    ['false', [{ url: `${extensionBase}/careteam-lead`, valueBoolean: false }], false],
    ['of another kind', [{ url: 'urn:careteam-lead', valueBoolean: true }], false],
    ['true, in no list', { url: `${extensionBase}/careteam-lead`, valueBoolean: true }, true],
    ['none', 'lead', false],
    ['null', null, false],
  ])('has a lead marker that is %s', (_what, extension, lead) => {
    const participant = [{ member: { reference: 'Practitioner/ann' }, extension }];
    const { value: team, issues } = rightOf(read(careTeam({ participant })));
    expect([team.participants[0]?.lead, issues]).toEqual([lead, []]);
  });

  test('with a lead marker that cannot be read is reported', () => {
    const extension = [{ url: `${extensionBase}/careteam-lead`, valueBoolean: 'true' }];
    const participant = [{ member: { reference: 'Practitioner/ann' }, extension }];
    const { value: team, issues } = rightOf(read(careTeam({ participant })));
    expect([team.participants[0]?.lead, issues]).toEqual([
      false,
      [leftOutIssue('CareTeam.participant[0].extension')],
    ]);
  });

  test('without a patient as its subject is refused', () => {
    expectInvalid(read(careTeam({ subject: { reference: 'Group/1' } })), 'reference at CareTeam.subject');
    expectInvalid(read(careTeam({ subject: undefined })), 'required at CareTeam.subject');
  });

  test('has participants with the configured roles', () => {
    const concept = {
      coding: [
        { system: 'http://snomed.info/sct', code: '1' },
        { ...role('doctor'), display: 'x' },
      ],
    };
    const {
      value: { participants },
    } = rightOf(
      read(
        careTeam({
          participant: [
            {
              role: [{ text: 'Helper' }, concept],
              member: { reference: 'Practitioner/ann', display: 'Ann' },
            },
            { role: [{ coding: [{ code: 'nurse' }] }], member: { reference: 'Organization/lab' } },
            { member: { reference: 'Patient/p1' } },
            { member: { display: 'somebody' } },
            {},
          ],
        }),
      ),
    );
    const nobody = { member: null, role: undefined, status: 'active', lead: false };
    expect(participants).toEqual([
      {
        element: 'CareTeam.participant[0]',
        member: { type: 'Practitioner', id: 'ann' },
        role: role('doctor'),
        status: 'active',
        lead: false,
      },
      {
        element: 'CareTeam.participant[1]',
        member: { type: 'Organization', id: 'lab' },
        role: undefined,
        status: 'active',
        lead: false,
      },
      { element: 'CareTeam.participant[2]', ...nobody },
      { element: 'CareTeam.participant[3]', ...nobody },
      { element: 'CareTeam.participant[4]', ...nobody },
    ]);
  });
});
