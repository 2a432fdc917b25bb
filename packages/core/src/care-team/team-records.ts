import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { directoryRecordDefinitions } from '../directory/record-definitions.ts';
import { type ParticipantStatus, parseTeamId, teamId } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type ClinicalTask, notFound } from '../errors.ts';
import { type Authorship, createVersionCheck } from '../records/record-change.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import { transact } from '../records/transact.ts';
import type { RecordChange, StoredRecord, VersionCheck } from '../store/port.ts';
import { dateNextChange, deriveCareTeam, hasParticipants, lastModified } from './derive.ts';
import type { LoadedTeam, TeamSnapshot } from './diff-team.ts';
import type { ActivePart, Participant, Team, TeamRecord } from './model.ts';
import { defineCareTeamRecord } from './record-definition.ts';
import { createTeamParts, type NeededStatuses } from './team-parts.ts';

/** What a team becomes, given the time of the change, and what that relies on. */
export type TeamChange = {
  readonly versionChecks: readonly VersionCheck[];
  readonly teamAt: (at: number) => E.Either<ClinicalError, Team>;
};

/** A team, and what its date relies on: of a team without participants, that its patient is not modified meanwhile. */
type DatedTeam<Part> = TeamSnapshot<Part> & { readonly versionChecks: readonly VersionCheck[] };

/** The care teams as they are kept. Each patient has one as soon as the patient is there: `NotFound` says that there is no patient. */
export type TeamRecords = {
  /** What is to be read of the participants in one status. */
  readonly read: (patientId: string, status: ParticipantStatus) => ClinicalTask<ResourceVersion>;
  /** Reads what a decision needs of a team. */
  readonly load: (
    patientId: string,
    neededStatuses: NeededStatuses,
  ) => ClinicalTask<DatedTeam<readonly Participant[]>>;
  /** The changes that make a loaded team what it is to be. */
  readonly changes: (
    loaded: LoadedTeam,
    next: Team,
    authorship: Authorship,
  ) => ClinicalTask<readonly RecordChange[]>;
  /** Writes what a patient's team becomes, and answers it: `decide` is given the team as it stands, once for each attempt. */
  readonly change: (
    patientId: string,
    options: {
      readonly by: string | null;
      readonly neededStatuses: NeededStatuses;
      readonly decide: (loaded: LoadedTeam) => ClinicalTask<TeamChange>;
    },
  ) => ClinicalTask<ResourceVersion>;
};

export const createTeamRecords = (environment: Environment, directory: DirectoryRecords): TeamRecords => {
  const { store, now, extensionBase } = environment;
  const stored = createTeamParts(store, defineCareTeamRecord(extensionBase));

  /** A team as it is handed on. Each part has the version of the team: names and who left show in parts that do not change. */
  const toResourceVersion = (
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
  const readWithPatient =
    <Part>(patientId: string, read: ClinicalTask<TeamSnapshot<Part> | null>): ClinicalTask<DatedTeam<Part>> =>
    async () => {
      const notFoundError = E.left(notFound('CareTeam', patientId));
      // Under such an id lies a part of a team.
      if (parseTeamId(patientId).suffix !== null) return notFoundError;
      const found = await read();
      if (E.isLeft(found)) return found;
      if (found.right !== null && hasParticipants(found.right.active.state)) {
        return E.right({ ...found.right, versionChecks: [] });
      }
      const patient = await directory.find('Patient', patientId)();
      if (E.isLeft(patient)) return patient;
      const afterPatient = await read();
      if (E.isLeft(afterPatient)) return afterPatient;
      if (afterPatient.right === null) return notFoundError;
      const { active, parts } = afterPatient.right;
      // When its patient was last modified, the directory knows.
      const { lastModified } = patient.right.state ?? active.state.patient;
      const state = { ...active.state, patient: { ...active.state.patient, lastModified } };
      const versionChecks = [createVersionCheck(directoryRecordDefinitions.Patient, patient.right)];
      return E.right({ active: { ...active, state }, parts, versionChecks });
    };

  const load: TeamRecords['load'] = (patientId, neededStatuses) =>
    readWithPatient(patientId, stored.load(patientId, neededStatuses));

  return {
    load,
    changes: stored.changes,

    read: (patientId, status) =>
      pipe(
        readWithPatient(patientId, stored.readTexts(patientId, status)),
        TE.map(({ active: { state, stored }, parts }) => {
          const resource = status === 'active' ? stored.resource : (parts.get(status) ?? null);
          return toResourceVersion(state, { status, version: stored.version, resource });
        }),
      ),

    change: (patientId, { by, neededStatuses, decide }) =>
      transact(store)(async () => {
        const loaded = await load(patientId, neededStatuses)();
        if (E.isLeft(loaded)) return loaded;
        const { active } = loaded.right;
        const decided = await decide(loaded.right)();
        if (E.isLeft(decided)) return decided;
        const { versionChecks, teamAt } = decided.right;
        // Not before: a client may have read the team while the host was asked for a member.
        const at = dateNextChange(active, now());
        const team = teamAt(at);
        if (E.isLeft(team)) return team;
        const changes = await stored.changes(loaded.right, team.right, { at, by })();
        if (E.isLeft(changes)) return changes;
        const [written] = changes.right;
        const { version, resource } = active.stored;
        const result =
          written === undefined
            ? toResourceVersion(active.state, { status: 'active', version, resource })
            : toResourceVersion(JSON.parse(written.state) as ActivePart, {
                status: 'active',
                version: version + 1,
                resource: written.resource,
              });
        return E.right({
          changes: changes.right,
          versionChecks: [...loaded.right.versionChecks, ...versionChecks],
          result,
        });
      }),
  };
};
