import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { type ParticipantStatus, teamId } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, type Outcome, toClinicalError } from '../errors.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { type ExistingRecord, missingRecord } from '../records/load.ts';
import type { PastVersion } from '../records/read-versions.ts';
import { type Authorship, createChange } from '../records/record-change.ts';
import { addMeta, type ResourceVersion } from '../records/resource-version.ts';
import { transact } from '../records/transact.ts';
import type { ClinicalStore, RecordChange, StoredRecord, VersionCheck } from '../store/port.ts';
import { type DatedTeam, readDatedTeam } from './dated-team.ts';
import { dateNextChange, deriveCareTeam, lastModified } from './derive.ts';
import { diffTeam } from './diff-team.ts';
import { loadMoreStatuses, loadTeam, readTeamText } from './load-team.ts';
import type { ActivePart, CareTeamState, Participant, TeamRecord } from './model.ts';
import type { NeededStatuses } from './needed-statuses.ts';
import { createTeamPresenter } from './present-team.ts';
import { defineCareTeamRecord } from './record-definition.ts';
import type { LoadedTeam } from './team-snapshot.ts';

/** The team after a change at a given time, and the version checks that the change relies on. */
export type TeamChange = {
  readonly versionChecks: readonly VersionCheck[];
  readonly teamAt: (at: number) => E.Either<ClinicalError, CareTeamState>;
};

/**
 * The care teams in the store of the directory that is given. A patient who is known has a team, so `NotFound` means that the
 * patient is unknown.
 */
export type TeamRecords = {
  /** Reads the resource of the participants in one status. */
  readonly read: (
    directory: DirectoryRecords,
    patientId: string,
    status: ParticipantStatus,
  ) => Outcome<ResourceVersion>;
  /** Reads the versions of the team, newest first, each with the participants of one status at that time. */
  readonly readVersions: (
    store: ClinicalStore,
    patientId: string,
    status: ParticipantStatus,
  ) => Outcome<readonly PastVersion[]>;
  /** Reads the participants that a decision needs. */
  readonly load: (
    directory: DirectoryRecords,
    patientId: string,
    needed: NeededStatuses,
  ) => Outcome<DatedTeam<readonly Participant[]>>;
  /** Writes a change of a patient's team. `decide` is called with the current team, once for each attempt. */
  readonly change: (
    directory: DirectoryRecords,
    patientId: string,
    options: {
      readonly by: AuthorReference | null;
      readonly neededStatuses: NeededStatuses;
      readonly decide: (loaded: LoadedTeam) => Outcome<TeamChange>;
    },
  ) => Outcome<ResourceVersion>;
  /** The change that writes the team of a new patient. */
  readonly createDefault: (patient: CareTeamState['patient'], authorship: Authorship) => RecordChange;
  /** The changes that turn a loaded team into the next. A status that gets participants is read first. */
  readonly diff: (
    store: ClinicalStore,
    loaded: LoadedTeam,
    change: { readonly next: CareTeamState; readonly authorship: Authorship },
  ) => Outcome<readonly RecordChange[]>;
};

export const createTeamRecords = ({
  now,
  extensionBase,
  usCore,
}: Pick<Environment, 'now' | 'extensionBase' | 'usCore'>): TeamRecords => {
  const definition = defineCareTeamRecord(extensionBase);
  const present = createTeamPresenter(usCore);

  const presentVersion = ({ resource, ...version }: PastVersion): PastVersion => ({
    ...version,
    resource: resource === null ? null : present({ id: version.id, resource }),
  });

  /** The text of a status in which nobody is. */
  const deriveEmpty = (patient: CareTeamState['patient'], status: ParticipantStatus): string =>
    JSON.stringify(deriveCareTeam(extensionBase)({ status, patient, participants: [] }));

  /** Each status has the version of the team: a change of the patient's name, say, leaves no trace in an empty one. */
  const toResourceVersion = (
    state: ActivePart,
    {
      status,
      version,
      at,
      resource,
    }: Pick<StoredRecord, 'version' | 'at' | 'resource'> & Pick<TeamRecord, 'status'>,
  ): ResourceVersion => {
    const { patient } = state;
    const id = teamId(patient.id, status);
    return {
      id,
      patientId: patient.id,
      version,
      lastModified: lastModified(state),
      json: addMeta('CareTeam', {
        ...{ id, version, at },
        resource: present({ id, resource: resource ?? deriveEmpty(patient, status) }),
      }),
    };
  };

  /** The version of the team after its changes, the first of which is that of the active part. */
  const toVersionAfter = (
    { state, stored }: ExistingRecord<ActivePart>,
    [written]: readonly RecordChange[],
  ): ResourceVersion => {
    if (written === undefined) return toResourceVersion(state, { ...stored, status: 'active' });
    return toResourceVersion(JSON.parse(written.state) as ActivePart, {
      status: 'active',
      version: stored.version + 1,
      at: written.at,
      resource: written.resource,
    });
  };

  const load: TeamRecords['load'] = (directory, patientId, needed) =>
    readDatedTeam(directory, patientId, () => loadTeam(directory.store, patientId, needed));

  const diff: TeamRecords['diff'] = async (store, loaded, { next, authorship }) => {
    const unread = loaded.active.state.otherStatuses.filter(
      (status) => !loaded.parts.has(status) && next.participants.some((one) => one.status === status),
    );
    if (unread.length === 0) return E.right(diffTeam(definition)(loaded, next, authorship));
    const more = await loadMoreStatuses(store, loaded, unread);
    if (E.isLeft(more)) return more;
    const added = unread.flatMap((status) => more.right.parts.get(status) ?? []);
    const participants = [...added, ...next.participants];
    return E.right(diffTeam(definition)(more.right, { ...next, participants }, authorship));
  };

  return {
    load,
    diff,
    createDefault: (patient, authorship) => {
      const team: ActivePart = {
        status: 'active',
        patient,
        participants: [],
        changedAt: 0,
        otherStatuses: [],
      };
      return createChange(definition, missingRecord(patient.id), team, authorship);
    },
    read: async (directory, patientId, status) => {
      const dated = await readDatedTeam(directory, patientId, () =>
        readTeamText(directory.store, patientId, status),
      );
      if (E.isLeft(dated)) return dated;
      const {
        active: { state, stored },
        parts,
      } = dated.right;
      const resource = status === 'active' ? stored.resource : (parts.get(status) ?? null);
      return E.right(toResourceVersion(state, { ...stored, status, resource }));
    },
    readVersions: async (store, patientId, status) => {
      const id = teamId(patientId, status);
      // The active part first: whatever belongs to its versions is written by then.
      const active = await store.history({ type: 'CareTeam', id: patientId });
      if (E.isLeft(active)) return E.left(toClinicalError(active.left));
      if (status === 'active') return E.right(active.right.map(presentVersion));
      const part = await store.history({ type: 'CareTeam', id });
      if (E.isLeft(part)) return E.left(toClinicalError(part.left));
      const parts = part.right.values();
      let { value: current } = parts.next();
      return E.right(
        active.right.map(({ state, ...version }) => {
          while (current !== undefined && current.at > version.at) current = parts.next().value;
          // A version that was erased has no patient.
          const { patient } = JSON.parse(state) as Partial<ActivePart>;
          const hasTeam = patient !== undefined && patient.replacedBy === undefined;
          const resource = current?.resource ?? (hasTeam ? deriveEmpty(patient, status) : null);
          return presentVersion({ ...version, id, resource });
        }),
      );
    },
    change: (directory, patientId, { by, neededStatuses, decide }) =>
      transact(directory.store)(async () => {
        const loaded = await load(directory, patientId, neededStatuses);
        if (E.isLeft(loaded)) return loaded;
        const { active } = loaded.right;
        const decided = await decide(loaded.right);
        if (E.isLeft(decided)) return decided;
        const { versionChecks, teamAt } = decided.right;
        // Not before: a client may have read the team while the host was asked for a member.
        const at = dateNextChange(active, now());
        const team = teamAt(at);
        if (E.isLeft(team)) return team;
        const changed = await diff(directory.store, loaded.right, {
          next: team.right,
          authorship: { at, by },
        });
        if (E.isLeft(changed)) return changed;
        return E.right({
          changes: changed.right,
          versionChecks: [...loaded.right.versionChecks, ...versionChecks],
          result: toVersionAfter(active, changed.right),
        });
      }),
  };
};
