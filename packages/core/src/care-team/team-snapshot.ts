import type { ParticipantStatus } from '../directory/team-id.ts';
import type { ExistingRecord } from '../records/load.ts';
import type { ActivePart, CareTeamState, Participant } from './model.ts';

/** A team at one moment: its active part, and what was read of its other parts. */
export type TeamSnapshot<Part> = {
  readonly active: ExistingRecord<ActivePart>;
  readonly parts: ReadonlyMap<ParticipantStatus, Part>;
};

/** A team as it was read to decide on it, with the participants of those parts that the decision needs. */
export type LoadedTeam = TeamSnapshot<readonly Participant[]>;

/** The team with all the participants that were read. */
export const teamOf = ({ active: { state }, parts }: LoadedTeam): CareTeamState => ({
  patient: state.patient,
  participants: [...state.participants, ...[...parts.values()].flat()],
});
