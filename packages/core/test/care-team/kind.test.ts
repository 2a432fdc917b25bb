import { describe, expect, test } from 'vitest';
import { careTeamKind, teamChanges } from '../../src/care-team/kind.ts';
import type { TeamRecord } from '../../src/care-team/model.ts';
import { displayOf } from '../../src/care-team/names.ts';
import { absent, type Loaded } from '../../src/records/load.ts';
import { Absent, Any, Version } from '../../src/store/expected-version.ts';
import { extensionBase, organization, participant, patient, practitioner, teamOf } from '../builders.ts';

const kind = careTeamKind(extensionBase);
const ann = practitioner('ann');
const lab = organization('lab');
const stamp = { at: 200, by: 'dr-1' };
const whole = (...participants: Parameters<typeof participant>[]): TeamRecord => ({
  status: 'active',
  ...teamOf(...participants.map((one) => participant(...one))),
});
const kept = (state: TeamRecord): Loaded<TeamRecord> => ({
  id: 'p1',
  stored: {
    type: 'CareTeam',
    id: 'p1',
    patientId: 'p1',
    version: 3,
    at: 1,
    by: null,
    state: JSON.stringify(state),
    resource: null,
  },
  state,
});

describe('what a care team is found by', () => {
  test('its status and the members in it', () => {
    const team = whole([ann, 'nurse'], [lab, null], [practitioner('bob'), 'doctor', { status: 'inactive' }]);
    expect(kind.derive(team)?.index).toEqual([
      { kind: 'token', parameter: 'status', system: 'http://hl7.org/fhir/care-team-status', code: 'active' },
      { kind: 'reference', parameter: 'participant', type: 'Practitioner', id: 'ann' },
      { kind: 'reference', parameter: 'participant', type: 'Organization', id: 'lab' },
    ]);
  });

  test('every patient has a care team by default: the active one is found without participants', () => {
    expect(kind.derive(whole())?.resource).toMatchObject({ id: 'p1', status: 'active' });
  });

  test('a search lists a non-active team only where it has participants', () => {
    const inactive = (...participants: TeamRecord['participants']): TeamRecord => ({
      status: 'inactive',
      patient,
      participants,
    });
    expect(kind.derive(inactive())).toBeNull();
    const left = participant(ann, 'nurse', { status: 'inactive' });
    expect(kind.derive(inactive(left))?.resource).toMatchObject({ id: 'p1.inactive', status: 'inactive' });
  });
});

describe('what is written when a team changes', () => {
  const changes = teamChanges(kind);
  const written = (loaded: Loaded<TeamRecord>, ...next: Parameters<typeof participant>[]) =>
    changes(loaded, whole(...next), stamp).map(({ id, expects, resource }) => [
      id,
      expects,
      resource === null ? null : (JSON.parse(resource) as { participant?: unknown[] }).participant?.length,
    ]);

  test('nothing, if nothing changed', () => {
    expect(written(kept(whole([ann, 'nurse'])), [ann, 'nurse'])).toEqual([]);
  });

  test('the team alone, while there are only active participants', () => {
    expect(written(absent('p1'), [ann, 'nurse'])).toEqual([['p1', Absent, 1]]);
    expect(written(kept(whole([ann, 'nurse'])), [ann, 'nurse'], [lab, null])).toEqual([
      ['p1', Version(3), 2],
    ]);
  });

  test('the part that one leaves for, guarded by the team itself', () => {
    expect(written(kept(whole([ann, 'nurse'])), [ann, 'nurse', { status: 'inactive' }])).toEqual([
      ['p1', Version(3), undefined],
      ['p1.inactive', Any, 1],
    ]);
  });

  test('the part that nobody is in any more, which then is found no longer', () => {
    expect(written(kept(whole([ann, 'nurse', { status: 'suspended' }])), [ann, 'nurse'])).toEqual([
      ['p1', Version(3), 1],
      ['p1.suspended', Any, null],
    ]);
  });

  test('no part that stayed as it was', () => {
    const away = [lab, null, { status: 'inactive' }] as const satisfies Parameters<typeof participant>;
    expect(written(kept(whole([ann, 'nurse'], [...away])), [ann, 'doctor'], [...away])).toEqual([
      ['p1', Version(3), 1],
    ]);
  });
});

test.each([
  ['Ann Lee', { id: '1', firstName: 'Ann', lastName: 'Lee' }],
  ['Lee', { id: '1', firstName: '', lastName: 'Lee' }],
  ['The Lab', { id: '1', name: 'The Lab' }],
])('a member shows under the name %s', (display, entry) => {
  expect(displayOf(entry)).toBe(display);
});
