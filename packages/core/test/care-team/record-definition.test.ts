import { describe, expect, test } from 'vitest';
import type { Participant, TeamPart } from '../../src/care-team/model.ts';
import { absentRole, defineCareTeamRecord } from '../../src/care-team/record.ts';
import { displayOf } from '../../src/directory/model.ts';
import { utc } from '../../src/fhir/date-time.ts';
import { activePart, extensionBase, organization, participant, patient, practitioner } from '../builders.ts';

const kind = defineCareTeamRecord({ zone: utc, extensionBase });
const ann = practitioner('ann');
const lab = organization('lab');

describe('a care team is found by', () => {
  test('its status, its members and their roles', () => {
    const team = activePart([participant(ann, 'nurse'), participant(lab, null)]);
    expect(kind.derive(team)?.index).toEqual([
      { kind: 'reference', parameter: 'participant', type: 'Practitioner', id: 'ann' },
      { kind: 'reference', parameter: 'participant', type: 'Organization', id: 'lab' },
      { kind: 'token', parameter: 'participant:missing', system: '', code: 'false' },
      { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/care-team-status', code: 'active' },
      { kind: 'token', parameter: 'role', system: 'https://clinic.example/roles', code: 'nurse' },
      { kind: 'token', parameter: 'role', system: absentRole.system, code: 'unknown' },
      { kind: 'token', parameter: '_profile:missing', system: '', code: 'true' },
    ]);
  });

  test('every patient has a care team by default: the active one is found without participants', () => {
    expect(kind.derive(activePart())?.resource).toMatchObject({ id: 'p1', status: 'active' });
  });

  test('a search lists a team that is not active only if it has participants', () => {
    const inactive = (...participants: readonly Participant[]): TeamPart => ({
      status: 'inactive',
      patient,
      participants,
    });
    expect(kind.derive(inactive())).toBeNull();
    const left = participant(ann, 'nurse', { status: 'inactive' });
    expect(kind.derive(inactive(left))?.resource).toMatchObject({ id: 'p1.inactive', status: 'inactive' });
  });
});

test.each([
  ['Ann Lee', { id: '1', firstName: 'Ann', lastName: 'Lee' }],
  ['Lee', { id: '1', firstName: '', lastName: 'Lee' }],
  ['The Lab', { id: '1', name: 'The Lab' }],
])('a member is shown with the name %s', (display, entry) => {
  expect(displayOf(entry)).toBe(display);
});
