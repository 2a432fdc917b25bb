import { type Act, changeTo, isSameState } from '../records/change.ts';
import { absent, type Loaded } from '../records/load.ts';
import type { RecordKind } from '../records/record-kind.ts';
import { Any } from '../store/expected-version.ts';
import type { Change } from '../store/port.ts';
import { deriveCareTeam } from './derive.ts';
import { type ParticipantStatus, participantStatuses, type Team, type TeamRecord } from './model.ts';
import { careTeamIndex } from './search-index.ts';
import { teamId } from './team-id.ts';

/** A team that is not active is found only where it has participants. */
export const careTeamKind = (extensionBase: string): RecordKind<TeamRecord> => ({
  type: 'CareTeam',
  id: ({ patient, status }) => teamId(patient.id, status),
  patientId: ({ patient }) => patient.id,
  derive: (record) =>
    record.status !== 'active' && record.participants.length === 0
      ? null
      : { resource: deriveCareTeam(extensionBase)(record, record.status), index: careTeamIndex(record) },
});

const sliceOf = (team: Team, status: ParticipantStatus): TeamRecord => ({
  status,
  patient: team.patient,
  participants: team.participants.filter((one) => one.status === status),
});

/** The changes that make a team what it is to be: first that of the whole team, whose record guards those of its parts. */
export const teamChanges =
  (kind: RecordKind<TeamRecord>) =>
  (loaded: Loaded<TeamRecord>, next: Team, act: Act): readonly Change[] => {
    const before = loaded.state;
    const whole: TeamRecord = { status: 'active', patient: next.patient, participants: next.participants };
    if (isSameState(before, whole)) return [];
    const parts = participantStatuses
      .filter((status) => status !== 'active')
      .map((status) => ({ was: before && sliceOf(before, status), is: sliceOf(next, status) }))
      .filter(
        ({ was, is }) =>
          (was?.participants.length ?? 0) + is.participants.length > 0 && !isSameState(was, is),
      );
    return [
      changeTo(kind, loaded, whole, act),
      ...parts.map(({ is }) => ({
        ...changeTo(kind, absent(teamId(next.patient.id, is.status)), is, act),
        expects: Any,
      })),
    ];
  };
