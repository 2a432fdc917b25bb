import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { directoryKinds } from '../directory/kinds.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, notFound, type Result } from '../errors.ts';
import { type Act, premiseOf } from '../records/change.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import { transact } from '../records/transact.ts';
import type { Change, Premise, StoredRecord } from '../store/port.ts';
import { deriveCareTeam, hasParticipants, lastModified, modifiedAt } from './derive.ts';
import { careTeamKind } from './kind.ts';
import type { ActivePart, Participant, ParticipantStatus, Team, TeamRecord } from './model.ts';
import type { LoadedTeam, TeamSnapshot } from './team-changes.ts';
import { parseTeamId, teamId } from './team-id.ts';
import { createTeamParts, type NeededStatuses } from './team-parts.ts';

/** What a team becomes, given the time of the change, and what that relies on. */
export type TeamChange = {
  readonly premises: readonly Premise[];
  readonly teamAt: (at: number) => E.Either<ClinicalError, Team>;
};

/** A team, and what its date relies on: of a team without participants, that its patient is not modified meanwhile. */
type DatedTeam<Part> = TeamSnapshot<Part> & { readonly premises: readonly Premise[] };

/** The care teams as they are kept. Each patient has one as soon as the patient is there: `NotFound` says that there is no patient. */
export type TeamRecords = {
  /** What is to be read of the participants in one status. */
  readonly read: (patientId: string, status: ParticipantStatus) => Result<ResourceVersion>;
  /** Reads what a decision needs of a team. */
  readonly load: (patientId: string, needed: NeededStatuses) => Result<DatedTeam<readonly Participant[]>>;
  /** The changes that make a loaded team what it is to be. */
  readonly changes: (loaded: LoadedTeam, next: Team, act: Act) => Result<readonly Change[]>;
  /** Writes what a patient's team becomes, and answers it: `decide` is given the team as it stands, once for each attempt. */
  readonly change: (
    patientId: string,
    options: {
      readonly by: string | null;
      readonly needed: NeededStatuses;
      readonly decide: (loaded: LoadedTeam) => Result<TeamChange>;
    },
  ) => Result<ResourceVersion>;
};

export const createTeamRecords = (environment: Environment, directory: DirectoryRecords): TeamRecords => {
  const { store, now, extensionBase } = environment;
  const stored = createTeamParts(store, careTeamKind(extensionBase));

  /** A team as it is handed on. Each part has the version of the team: names and who left show in parts that do not change. */
  const handedOn = (
    state: ActivePart,
    { status, version, resource }: Pick<StoredRecord, 'version' | 'resource'> & Pick<TeamRecord, 'status'>,
  ): ResourceVersion => {
    const { patient } = state;
    const empty = { status, patient, participants: [] };
    return {
      id: teamId(patient.id, status),
      patientId: patient.id,
      version,
      lastModified: lastModified(state),
      json: resource ?? JSON.stringify(deriveCareTeam(extensionBase)(empty)),
    };
  };

  /** Of a team without participants, the patient is read before the team: so whoever joins in between is seen. */
  const withPatient =
    <Part>(patientId: string, read: Result<TeamSnapshot<Part> | null>): Result<DatedTeam<Part>> =>
    async () => {
      const nowhere = E.left(notFound('CareTeam', patientId));
      // Under such an id lies a part of a team.
      if (parseTeamId(patientId).suffix !== null) return nowhere;
      const found = await read();
      if (E.isLeft(found)) return found;
      if (found.right !== null && hasParticipants(found.right.active.state)) {
        return E.right({ ...found.right, premises: [] });
      }
      const patient = await directory.known('Patient', patientId)();
      if (E.isLeft(patient)) return patient;
      const afterPatient = await read();
      if (E.isLeft(afterPatient)) return afterPatient;
      if (afterPatient.right === null) return nowhere;
      const { active, parts } = afterPatient.right;
      // When its patient was last modified, the directory knows.
      const { lastModified } = patient.right.state ?? active.state.patient;
      const state = { ...active.state, patient: { ...active.state.patient, lastModified } };
      const premises = [premiseOf(directoryKinds.Patient, patient.right)];
      return E.right({ active: { ...active, state }, parts, premises });
    };

  const load: TeamRecords['load'] = (patientId, needed) =>
    withPatient(patientId, stored.load(patientId, needed));

  return {
    load,
    changes: stored.changes,

    read: (patientId, status) =>
      pipe(
        withPatient(patientId, stored.readTexts(patientId, status)),
        TE.map(({ active: { state, stored }, parts }) => {
          const resource = status === 'active' ? stored.resource : (parts.get(status) ?? null);
          return handedOn(state, { status, version: stored.version, resource });
        }),
      ),

    change: (patientId, { by, needed, decide }) =>
      transact(store)(async () => {
        const loaded = await load(patientId, needed)();
        if (E.isLeft(loaded)) return loaded;
        const { active } = loaded.right;
        const decided = await decide(loaded.right)();
        if (E.isLeft(decided)) return decided;
        const { premises, teamAt } = decided.right;
        // Not before: a client may have read the team while the host was asked for a member.
        const at = modifiedAt(active, now());
        const team = teamAt(at);
        if (E.isLeft(team)) return team;
        const changes = await stored.changes(loaded.right, team.right, { at, by })();
        if (E.isLeft(changes)) return changes;
        const [written] = changes.right;
        const { version, resource } = active.stored;
        const answer =
          written === undefined
            ? handedOn(active.state, { status: 'active', version, resource })
            : handedOn(JSON.parse(written.state) as ActivePart, {
                status: 'active',
                version: version + 1,
                resource: written.resource,
              });
        return E.right({
          changes: changes.right,
          premises: [...loaded.right.premises, ...premises],
          answer,
        });
      }),
  };
};
