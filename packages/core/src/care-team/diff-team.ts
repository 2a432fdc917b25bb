import { participantStatuses, teamId } from '../directory/team-id.ts';
import { missingRecord } from '../records/load.ts';
import { type Authorship, createChange, isSameState } from '../records/record-change.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import { anyVersion } from '../store/expected-version.ts';
import type { RecordChange } from '../store/port.ts';
import type { ActivePart, CareTeamState, Participant, TeamRecord } from './model.ts';
import type { LoadedTeam } from './team-snapshot.ts';

type Participants = readonly Participant[];

/** Those whom a rule leaves as they are stay the same objects. */
const hasSameParticipants = (some: Participants, others: Participants): boolean =>
  some.length === others.length &&
  some.every((one, index) => one === others[index] || isSameState(one, others[index]));

/**
 * The changes that make a team what it is to be: first that of the active part, whose version guards the others. A part that
 * was not read stays as it is.
 */
export const diffTeam =
  (definition: RecordDefinition<TeamRecord>) =>
  (
    { active, parts }: LoadedTeam,
    { patient, participants }: CareTeamState,
    authorship: Authorship,
  ): readonly RecordChange[] => {
    const before = active.state;
    const isRenamed = !isSameState(before.patient, patient);
    const others = participantStatuses
      .filter((status) => status !== 'active')
      .map((status) => ({
        isUnread: before.otherStatuses.includes(status) && !parts.has(status),
        part: { status, patient, participants: participants.filter((one) => one.status === status) },
      }));
    const changedParts = others
      .filter(({ isUnread, part: { status, participants: after } }) => {
        const read = parts.get(status) ?? [];
        return !isUnread && (!hasSameParticipants(read, after) || (isRenamed && after.length > 0));
      })
      .map(({ part }) => part);
    const next: ActivePart = {
      status: 'active',
      patient,
      participants: participants.filter(({ status }) => status === 'active'),
      changedAt: participants.reduce(
        (latest, { changedAt }) => Math.max(latest, changedAt),
        before.changedAt,
      ),
      otherStatuses: others
        .filter(({ isUnread, part }) => isUnread || part.participants.length > 0)
        .map(({ part }) => part.status),
    };
    if (changedParts.length === 0 && isSameState(before, next)) return [];
    return [
      createChange(definition, active, next, authorship),
      ...changedParts.map((part) => ({
        ...createChange(definition, missingRecord(teamId(patient.id, part.status)), part, authorship),
        expects: anyVersion,
      })),
    ];
  };
