import { describe, expect, test } from 'vitest';
import type { ActivePart, Participant, TeamPart } from '../../src/care-team/model.ts';
import { createTeamRecords, stateOf, type Team } from '../../src/care-team/team-records.ts';
import { type ParticipantStatus, participantStatuses } from '../../src/directory/model.ts';
import { utc } from '../../src/fhir/date-time.ts';
import { type LoadedRecord, missingRecord } from '../../src/records/transact.ts';
import { exactVersion, noVersion } from '../../src/store/versions.ts';
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
const home = participant(organization('home'), null);
const inStatus = (one: Participant, status: ParticipantStatus, changedAt = 100): Participant => ({
  ...one,
  ...{ status, changedAt },
});
const [formerAnn, formerLab] = [inStatus(ann, 'inactive'), inStatus(lab, 'inactive')];

/** The version that a part was read in; one that is not in the team was never written. */
const partVersion = 5;

const teamRecords = createTeamRecords({ now: () => 0, zone: utc, extensionBase, usCore: false });

type Before = {
  readonly active: ActivePart;
  readonly parts?: Partial<Record<TeamPart['status'], Participant[]>>;
};

const teamWith = ({ active, parts = {} }: Before): Team => ({
  head: loadedActive(active),
  parts: new Map(
    participantStatuses
      .filter((status) => status !== 'active')
      .map((status): [TeamPart['status'], LoadedRecord<TeamPart>] => {
        const id = `p1.${status}`;
        const participants = parts[status];
        if (participants === undefined) return [status, missingRecord(id)];
        const stored = { ...loadedActive(active).stored, id, version: partVersion };
        return [status, { id, stored, state: { status, patient, participants } }];
      }),
  ),
});

/** The changes to a team: each record with the version that it expects and its content, and the records that are only checked. */
const diff = (before: Before, participants: readonly Participant[], lastName = patient.lastName) => {
  const { changes, versionChecks } = teamRecords.diff(
    teamWith(before),
    { patient: { ...patient, lastName }, participants },
    { at: 200, by: 'Practitioner/dr-1' },
  );
  return {
    written: changes.map(({ id, expects, state }) => ({ id, expects, state: JSON.parse(state) })),
    checked: versionChecks.map(({ id, expects }) => [id, expects]),
  };
};
const written = (...change: Parameters<typeof diff>) => diff(...change).written;

test('a loaded team has the participants of all its parts', () => {
  const active = activePart([ann], { otherStatuses: ['inactive'] });
  expect(stateOf(teamWith({ active, parts: { inactive: [formerLab] } })).participants).toEqual([
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
    const after = [ann, formerLab, inStatus(home, 'active', 200)];
    expect(diff({ active, parts: { inactive: [formerLab] } }, after)).toEqual({
      written: [
        {
          id: 'p1',
          expects: exactVersion(3),
          state: activePart([ann, inStatus(home, 'active', 200)], {
            changedAt: 200,
            otherStatuses: ['inactive'],
          }),
        },
      ],
      // The others must be unchanged, or still be missing.
      checked: [
        ['p1.proposed', noVersion],
        ['p1.suspended', noVersion],
        ['p1.inactive', exactVersion(partVersion)],
        ['p1.entered-in-error', noVersion],
      ],
    });
  });

  test('the part into which a participant moves, as its first version; each part has only its own participants', () => {
    const left = inStatus(ann, 'inactive', 200);
    expect(written({ active: activePart([ann, lab]) }, [left, lab])).toEqual([
      {
        id: 'p1',
        expects: exactVersion(3),
        state: activePart([lab], { changedAt: 200, otherStatuses: ['inactive'] }),
      },
      {
        id: 'p1.inactive',
        expects: noVersion,
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
      {
        id: 'p1.suspended',
        expects: exactVersion(partVersion),
        state: { status: 'suspended', patient, participants: [] },
      },
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

  test('every part that was ever written, if the patient has a new name', () => {
    const active = activePart([ann], { otherStatuses: ['inactive'] });
    const parts = { suspended: [], inactive: [formerAnn] };
    const changes = written({ active, parts }, [ann, formerAnn], 'Roe');
    expect(changes.map(({ id, state }) => [id, state.patient.lastName])).toEqual([
      ['p1', 'Roe'],
      ['p1.suspended', 'Roe'],
      ['p1.inactive', 'Roe'],
    ]);
  });

  test('those who leave after those who left before', () => {
    const left = inStatus(ann, 'inactive', 200);
    const active = activePart([ann], { otherStatuses: ['inactive'] });
    const [, inactive] = written({ active, parts: { inactive: [formerLab] } }, [left, formerLab]);
    expect(inactive?.state.participants).toEqual([formerLab, left]);
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
