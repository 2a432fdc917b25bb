import { type ParticipantStatus, participantStatuses } from '../directory/team-id.ts';
import { type ActivePart, isSameMember, type Member } from './model.ts';

/** The statuses whose participants have to be read beside the active ones. A status without participants costs nothing. */
export type NeededStatuses = (active: ActivePart) => readonly ParticipantStatus[];

export const everyStatus: NeededStatuses = () => participantStatuses;

/** The statuses in which some members can be: only active where all of them are, otherwise any. */
export const statusesOfMembers =
  (members: readonly Member[]): NeededStatuses =>
  ({ participants }) =>
    members.every((member) => participants.some((one) => isSameMember(one.member, member)))
      ? []
      : participantStatuses;
