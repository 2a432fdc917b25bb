import { describe, expect, test } from 'vitest';
import { diffTeam } from '../../src/care-team/diff-team.ts';
import type { ActivePart, Participant } from '../../src/care-team/model.ts';
import { defineCareTeamRecord } from '../../src/care-team/record-definition.ts';
import { teamOf as teamIn } from '../../src/care-team/team-snapshot.ts';
import type { ParticipantStatus } from '../../src/directory/team-id.ts';
import { anyVersion, exactVersion } from '../../src/store/expected-version.ts';
import {
  activePart,
  extensionBase,
  loadedActive,
  organization,
  participant,
  patient,
  practitioner,
} from '../builders.ts';

const ann = participant(practitioner('ann'), 'nurse');
const lab = participant(organization('lab'), null);
const inStatus = (one: Participant, status: ParticipantStatus, changedAt = 100): Participant => ({
  ...one,
  ...{ status, changedAt },
});
const [formerAnn, formerLab] = [inStatus(ann, 'inactive'), inStatus(lab, 'inactive')];

/** The changes to a team: each record with the version that it expects and its content. */
const written = (
  before: { readonly active: ActivePart; readonly parts?: Partial<Record<ParticipantStatus, Participant[]>> },
  participants: readonly Participant[],
  lastName = patient.lastName,
) => {
  const parts = new Map(Object.entries(before.parts ?? {}) as [ParticipantStatus, Participant[]][]);
  return diffTeam(defineCareTeamRecord(extensionBase))(
    { active: loadedActive(before.active), parts },
    { patient: { ...patient, lastName }, participants },
    { at: 200, by: 'Practitioner/dr-1' },
  ).map(({ id, expects, state }) => ({ id, expects, state: JSON.parse(state) }));
};

test('a loaded team has the participants of the parts that were read', () => {
  const active = loadedActive(activePart([ann], { otherStatuses: ['inactive'] }));
  expect(teamIn({ active, parts: new Map() }).participants).toEqual([ann]);
  expect(teamIn({ active, parts: new Map([['inactive', [formerLab]]]) }).participants).toEqual([
    ann,
    formerLab,
  ]);
});

describe('a change of a team writes', () => {
  test('nothing, if nothing has changed', () => {
    expect(written({ active: activePart([ann]) }, [ann])).toEqual([]);
    const active = activePart([ann], { otherStatuses: ['inactive'] });
    expect(written({ active, parts: { inactive: [formerLab] } }, [ann, formerLab])).toEqual([]);
  });

  test('only the active part, if only active participants change, whoever has left before', () => {
    const active = activePart([ann], { otherStatuses: ['inactive'] });
    expect(written({ active }, [ann, inStatus(lab, 'active', 200)])).toEqual([
      {
        id: 'p1',
        expects: exactVersion(3),
        state: activePart([ann, inStatus(lab, 'active', 200)], {
          changedAt: 200,
          otherStatuses: ['inactive'],
        }),
      },
    ]);
  });

  test('the part into which a participant moves, guarded by the active part; each part has only its own participants', () => {
    const left = inStatus(ann, 'inactive', 200);
    expect(written({ active: activePart([ann, lab]) }, [left, lab])).toEqual([
      {
        id: 'p1',
        expects: exactVersion(3),
        state: activePart([lab], { changedAt: 200, otherStatuses: ['inactive'] }),
      },
      {
        id: 'p1.inactive',
        expects: anyVersion,
        state: { status: 'inactive', patient, participants: [left] },
      },
    ]);
  });

  test('the part that has no participants any more', () => {
    const active = activePart([], { changedAt: 100, otherStatuses: ['suspended'] });
    const suspended = [inStatus(ann, 'suspended')];
    expect(written({ active, parts: { suspended } }, [inStatus(ann, 'active', 200)])).toEqual([
      {
        id: 'p1',
        expects: exactVersion(3),
        state: activePart([inStatus(ann, 'active', 200)], { changedAt: 200 }),
      },
      { id: 'p1.suspended', expects: anyVersion, state: { status: 'suspended', patient, participants: [] } },
    ]);
  });

  test('no part that is unchanged', () => {
    const active = activePart([ann], { otherStatuses: ['inactive'] });
    const changes = written({ active, parts: { inactive: [formerLab] } }, [
      inStatus(ann, 'active', 200),
      formerLab,
    ]);
    expect(changes.map(({ id }) => id)).toEqual(['p1']);
  });

  test('the active part together with any other part, because its version is that of the team', () => {
    const active = activePart([ann], { otherStatuses: ['inactive'] });
    const renamed = { ...formerLab, member: { ...formerLab.member, display: 'Laboratory' } };
    const changes = written({ active, parts: { inactive: [formerLab] } }, [ann, renamed]);
    expect(changes.map(({ id, state }) => [id, state.changedAt])).toEqual([
      ['p1', 100],
      ['p1.inactive', undefined],
    ]);
  });

  test('every part with participants, if the patient has a new name', () => {
    const active = activePart([ann], { otherStatuses: ['inactive'] });
    const changes = written({ active, parts: { inactive: [formerAnn] } }, [ann, formerAnn], 'Roe');
    expect(changes.map(({ id, state }) => [id, state.patient.lastName])).toEqual([
      ['p1', 'Roe'],
      ['p1.inactive', 'Roe'],
    ]);
  });

  test('parts without participants after all were removed, and the date of the last change', () => {
    const active = activePart([ann], { changedAt: 150, otherStatuses: ['inactive'] });
    const changes = written({ active, parts: { inactive: [formerLab] } }, []);
    expect(changes.map(({ state }) => [state.participants, state.otherStatuses, state.changedAt])).toEqual([
      [[], [], 150],
      [[], undefined, undefined],
    ]);
  });
});
