import * as E from 'fp-ts/lib/Either.js';
import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ParticipantStatus, participantStatuses, teamId } from '../directory/team-id.ts';
import { type ClinicalTask, toClinicalError } from '../errors.ts';
import { load, recordExists } from '../records/load.ts';
import type { Authorship } from '../records/record-change.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import type { ClinicalStore, RecordChange } from '../store/port.ts';
import { diffTeam, type LoadedTeam, type TeamSnapshot } from './diff-team.ts';
import {
  type ActivePart,
  isSameMember,
  type Member,
  type Participant,
  type Team,
  type TeamPart,
  type TeamRecord,
} from './model.ts';

/** The statuses whose participants have to be read beside the active ones. A status in which nobody is costs nothing. */
export type NeededStatuses = (active: ActivePart) => readonly ParticipantStatus[];

export const everyStatus: NeededStatuses = () => participantStatuses;

/** Where some members can be: with the active ones, or in any status as soon as one of them is not active. */
export const statusesOfMembers =
  (members: readonly Member[]): NeededStatuses =>
  ({ participants }) =>
    members.every((member) => participants.some((one) => isSameMember(one.member, member)))
      ? []
      : participantStatuses;

/** Reads something of each of some parts of a team. */
const readParts =
  <Part>(
    patientId: string,
    statuses: readonly ParticipantStatus[],
    readPart: (id: string) => ClinicalTask<Part>,
  ): ClinicalTask<ReadonlyMap<ParticipantStatus, Part>> =>
  async () => {
    const parts = new Map<ParticipantStatus, Part>();
    for (const status of statuses) {
      const part = await readPart(teamId(patientId, status))();
      if (E.isLeft(part)) return part;
      parts.set(status, part.right);
    }
    return E.right(parts);
  };

/** Reads the parts of care teams as they are stored, and makes the changes of them. */
export const createTeamParts = (store: ClinicalStore, definition: RecordDefinition<TeamRecord>) => {
  const loadActive = (patientId: string) => load<ActivePart>(store, definition, patientId);
  const loadPart = (id: string): ClinicalTask<readonly Participant[]> =>
    pipe(
      load<TeamPart>(store, definition, id),
      TE.map(({ state }) => state?.participants ?? []),
    );

  /**
   * Reads a team; null where there is none. Every change of a part writes the active part, too: where that has the same
   * version before and after, what was read in between is of one moment. Otherwise all is read again.
   */
  const read =
    <Part>(
      patientId: string,
      needed: NeededStatuses,
      readPart: (id: string) => ClinicalTask<Part>,
    ): ClinicalTask<TeamSnapshot<Part> | null> =>
    async () => {
      let active = await loadActive(patientId)();
      for (;;) {
        if (E.isLeft(active)) return active;
        const existing = active.right;
        if (!recordExists(existing)) return E.right(null);
        const neededStatuses = new Set(needed(existing.state));
        const statuses = existing.state.otherStatuses.filter((status) => neededStatuses.has(status));
        const parts = await readParts(patientId, statuses, readPart)();
        if (E.isLeft(parts)) return parts;
        const after = statuses.length === 0 ? active : await loadActive(patientId)();
        if (E.isRight(after) && after.right.stored?.version === existing.stored.version)
          return E.right({ active: existing, parts: parts.right });
        active = after;
      }
    };

  return {
    /** Reads what a decision needs of a team. */
    load: (patientId: string, needed: NeededStatuses): ClinicalTask<LoadedTeam | null> =>
      read(patientId, needed, loadPart),

    /** Reads the active part of a team and the text of the resource that the part of a status makes. */
    readTexts: (
      patientId: string,
      status: ParticipantStatus,
    ): ClinicalTask<TeamSnapshot<string | null> | null> =>
      read(
        patientId,
        () => [status],
        flow(
          (id) => store.readResource({ type: definition.type, id }),
          TE.bimap(toClinicalError, (found) => found?.resource ?? null),
        ),
      ),

    /** The changes that make a team what it is to be. A part that was not read is read where somebody is to be added to it. */
    changes: (
      loaded: LoadedTeam,
      next: Team,
      authorship: Authorship,
    ): ClinicalTask<readonly RecordChange[]> => {
      const { active, parts } = loaded;
      const unread = active.state.otherStatuses.filter(
        (status) => !parts.has(status) && next.participants.some((one) => one.status === status),
      );
      return pipe(
        readParts(next.patient.id, unread, loadPart),
        TE.map((added) =>
          diffTeam(definition)(
            { ...loaded, parts: new Map([...parts, ...added]) },
            { ...next, participants: [...[...added.values()].flat(), ...next.participants] },
            authorship,
          ),
        ),
      );
    },
  };
};
