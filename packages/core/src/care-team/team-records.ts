import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { parseTeamId, participantStatuses, teamId } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { type ClinicalError, notFound, type Outcome, storeFailure, toClinicalError } from '../errors.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { addCommonElements, addMeta, createResourceVersion, type ResourceVersion } from '../records/page.ts';
import {
  type Authorship,
  createChange,
  createVersionCheck,
  type Decision,
  type ExistingRecord,
  isSameState,
  type LoadedRecord,
  load,
  missingRecord,
  recordExists,
  transact,
} from '../records/transact.ts';
import type { ClinicalStore, RecordChange, StoredRecord, VersionCheck } from '../store/port.ts';
import type { ActivePart, CareTeamState, Participant, TeamPart, TeamRecord } from './model.ts';
import {
  careTeamFacts,
  createTeamPresenter,
  dateNextChange,
  defineCareTeamRecord,
  deriveCareTeam,
  hasParticipants,
  lastModified,
} from './record.ts';
import { memberKey } from './rules.ts';

type OtherStatus = TeamPart['status'];

const otherStatuses = participantStatuses.filter((status): status is OtherStatus => status !== 'active');

/**
 * A care team as it was read: the record of its active participants, which knows when any participant last changed, and the
 * record of each other status.
 */
export type Team = {
  readonly head: ExistingRecord<ActivePart>;
  readonly parts: ReadonlyMap<OtherStatus, LoadedRecord<TeamPart>>;
};

/** The changes that make a team what it is to be, and the checks that the rest of it is unchanged. */
export type TeamChanges = Required<Pick<Decision<unknown>, 'changes' | 'versionChecks'>>;

/** The head of a team with its date, and the version checks of the date. */
type DatedHead = Pick<Team, 'head'> & { readonly versionChecks: readonly VersionCheck[] };

export const stateOf = ({ head, parts }: Team): CareTeamState => ({
  patient: head.state.patient,
  common: head.state.common,
  participants: [head, ...parts.values()].flatMap(({ state }) => state?.participants ?? []),
});

/** Reads the record of the active participants. */
export const loadHead = (store: ClinicalStore, patientId: string) =>
  load<ActivePart>(store, { type: 'CareTeam' }, patientId);

const loadPart = (store: ClinicalStore, patientId: string, status: OtherStatus) =>
  load<TeamPart>(store, { type: 'CareTeam' }, teamId(patientId, status));

type LoadedPart = Awaited<ReturnType<typeof loadPart>>;

/** Reads a part again that the head names and that is missing. It exists now, because no record disappears. */
const ensureFound = async (
  store: ClinicalStore,
  { id, state }: ExistingRecord<ActivePart>,
  [status, part]: readonly [OtherStatus, LoadedPart],
): Promise<LoadedPart> => {
  if (E.isLeft(part) || recordExists(part.right) || !state.otherStatuses.includes(status)) return part;
  const again = await loadPart(store, id, status);
  if (E.isLeft(again) || recordExists(again.right) || again.right.isErased) return again;
  return E.left(storeFailure('damaged-store', null));
};

/** The head of a team and its other records, which are read in the same turn. A commit checks that all are of one moment. */
const joinParts = async <Head extends Pick<Team, 'head'>>(
  store: ClinicalStore,
  patientId: string,
  reading: Outcome<Head>,
): Outcome<Head & Team> => {
  const [head, ...loaded] = await Promise.all([
    reading,
    ...otherStatuses.map((status) => loadPart(store, patientId, status)),
  ]);
  if (E.isLeft(head)) return head;
  const parts = new Map<OtherStatus, LoadedRecord<TeamPart>>();
  for (const [index, status] of otherStatuses.entries()) {
    const part = await ensureFound(store, head.right.head, [status, loaded[index] as LoadedPart]);
    if (E.isLeft(part)) return part;
    parts.set(status, part.right);
  }
  return E.right({ ...head.right, parts });
};

/** Reads all records of a patient's team, of which it was read before that it exists. */
export const loadTeam = (store: ClinicalStore, head: ExistingRecord<ActivePart>): Outcome<Team> =>
  joinParts(store, head.id, Promise.resolve(E.right({ head })));

/**
 * Reads the head of a team with its date. The patient of a team without participants is read before the team, so that a member who
 * joins in between is found, and must not be modified.
 */
const loadDatedHead = async (directory: DirectoryRecords, patientId: string): Outcome<DatedHead> => {
  const missing = () => E.left(notFound('CareTeam', patientId));
  // Such an id names one status of a team.
  if (parseTeamId(patientId).suffix !== null) return missing();
  const active = await loadHead(directory.store, patientId);
  if (E.isLeft(active)) return active;
  if (recordExists(active.right) && hasParticipants(active.right.state)) {
    return E.right({ head: active.right, versionChecks: [] });
  }
  const patient = await directory.find('Patient', patientId);
  if (E.isLeft(patient)) return patient;
  if (patient.right.state?.replacedBy !== undefined) return missing();
  const head = await loadHead(directory.store, patientId);
  if (E.isLeft(head)) return head;
  if (!recordExists(head.right)) return missing();
  const { state } = head.right;
  const { lastModified: ofPatient } = patient.right.state ?? state.patient;
  return E.right({
    head: { ...head.right, state: { ...state, patient: { ...state.patient, lastModified: ofPatient } } },
    versionChecks: [createVersionCheck({ type: 'Patient' }, patient.right)],
  });
};

/** Participants in the order that they had before. New ones come last. */
const inOrderOf = (before: readonly Participant[], after: readonly Participant[]): readonly Participant[] => {
  const memberKeys = new Set(before.map(memberKey));
  const hasStayed = (participant: Participant) => memberKeys.has(memberKey(participant));
  return [...after.filter(hasStayed), ...after.filter((participant) => !hasStayed(participant))];
};

/** Those whom a rule leaves as they are stay the same objects. */
const hasSameParticipants = (before: readonly Participant[], after: readonly Participant[]): boolean =>
  before.length === after.length &&
  before.every(
    (participant, index) => participant === after[index] || isSameState(participant, after[index]),
  );

/** Writes the versions of teams and their texts. */
const createVersionWriter = (
  definition: ReturnType<typeof defineCareTeamRecord>,
  { extensionBase, usCore }: Pick<Environment, 'extensionBase' | 'usCore'>,
) => {
  const present = createTeamPresenter(usCore);

  /** The text of a status in which nobody is. A search does not find it, so it is not stored. */
  const deriveEmpty = ({ common, ...team }: Pick<TeamRecord, 'patient' | 'common' | 'status'>): string =>
    JSON.stringify(
      addCommonElements(careTeamFacts, deriveCareTeam(extensionBase)({ ...team, participants: [] }), common),
    );

  const toVersion = (
    state: TeamRecord,
    { version, at, resource }: Pick<StoredRecord, 'version' | 'at' | 'resource'>,
  ): ResourceVersion => {
    const id = definition.id(state);
    const text = present({ id, resource: resource ?? deriveEmpty(state) });
    return {
      id,
      patientId: state.patient.id,
      version,
      lastModified: state.status === 'active' ? lastModified(state) : at,
      json: version === 0 ? text : addMeta('CareTeam', { id, version, at, resource: text }),
    };
  };

  return {
    present,
    toVersion,
    /** The text of a version of a team; null if there was no team. Without a resource, nobody was in its status. */
    textOf: ({ id, state, resource }: Pick<StoredRecord, 'id' | 'state' | 'resource'>): string | null => {
      if (resource !== null) return present({ id, resource });
      // A version that was erased has no patient.
      const { patient, common, status } = JSON.parse(state) as Partial<TeamRecord>;
      const hasTeam = patient !== undefined && status !== undefined && patient.replacedBy === undefined;
      return hasTeam ? present({ id, resource: deriveEmpty({ patient, common, status }) }) : null;
    },
  };
};

type VersionWriter = ReturnType<typeof createVersionWriter>;

/** Reads the resource with an id, which names the participants in one status. */
const createRead =
  ({ present, toVersion }: Pick<VersionWriter, 'present' | 'toVersion'>) =>
  async (directory: DirectoryRecords, id: string): Outcome<ResourceVersion> => {
    const { patientId, suffix: status } = parseTeamId(id);
    if (status === null || status === 'active') {
      const dated = await loadDatedHead(directory, patientId);
      return E.isLeft(dated) ? dated : E.right(toVersion(dated.right.head.state, dated.right.head.stored));
    }
    const storedTeam = await directory.store.readResource({ type: 'CareTeam', id });
    if (E.isLeft(storedTeam)) return E.left(toClinicalError(storedTeam.left));
    if (storedTeam.right !== null) {
      const resource = present({ id, resource: storedTeam.right.resource });
      return E.right(createResourceVersion('CareTeam', id, { ...storedTeam.right, resource }));
    }
    // The patient may be unknown, merged into another one, or known only to the host.
    const dated = await loadDatedHead(directory, patientId);
    if (E.isLeft(dated)) return dated;
    const { head } = dated.right;
    const stored = await loadPart(directory.store, patientId, status);
    const part = await ensureFound(directory.store, head, [status, stored]);
    if (E.isLeft(part)) return part;
    if (recordExists(part.right)) return E.right(toVersion(part.right.state, part.right.stored));
    // Nobody ever was in the status, so it is not stored.
    const { patient } = head.state;
    const unstored = { version: 0, at: patient.lastModified, resource: null };
    return E.right(toVersion({ status, patient, participants: [] }, unstored));
  };

/** The parts of a team after a change, each with its record and whether that changes. */
const partsAfter = (
  parts: Team['parts'],
  { patient, participants }: Pick<CareTeamState, 'patient' | 'participants'>,
  isChangedInAll: boolean,
) =>
  otherStatuses.map((status) => {
    const record = parts.get(status) ?? missingRecord(teamId(patient.id, status));
    const recorded = record.state?.participants ?? [];
    const sent = participants.filter((participant) => participant.status === status);
    const isSame = hasSameParticipants(recorded, sent);
    const after = isSame ? recorded : inOrderOf(recorded, sent);
    // An empty status shows the name of the patient and the common elements, too.
    return { record, after, status, isChanged: !isSame || (isChangedInAll && recordExists(record)) };
  });

/** The changes that turn a team into the next: none, or first that of the head, whose version is that of the team. */
const createDiff =
  (definition: ReturnType<typeof defineCareTeamRecord>) =>
  (
    { head, parts }: Team,
    { patient, common, participants }: CareTeamState,
    authorship: Authorship,
  ): TeamChanges => {
    const before = head.state;
    const hasOtherElements = !isSameState(before.common, common);
    const isChangedInAll = hasOtherElements || !isSameState(before.patient, patient);
    const next = partsAfter(parts, { patient, participants }, isChangedInAll);
    const active: ActivePart = {
      status: 'active',
      patient,
      common,
      participants: participants.filter(({ status }) => status === 'active'),
      changedAt: participants.reduce(
        (latest, { changedAt }) => Math.max(latest, changedAt),
        hasOtherElements ? authorship.at : before.changedAt,
      ),
      otherStatuses: next.filter(({ after }) => after.length > 0).map(({ status }) => status),
    };
    const changed = next.filter(({ isChanged }) => isChanged);
    const versionChecks = next
      .filter(({ isChanged }) => !isChanged)
      .map(({ record }) => createVersionCheck(definition, record));
    const isUnchanged = changed.length === 0 && isSameState(before, active);
    if (isUnchanged)
      return { changes: [], versionChecks: [createVersionCheck(definition, head), ...versionChecks] };
    const changes = changed.map(({ record, status, after }) =>
      createChange(definition, record, { status, patient, common, participants: after }, authorship),
    );
    return { changes: [createChange(definition, head, active, authorship), ...changes], versionChecks };
  };

/** How a team changes, and who changes it. */
type TeamDecision = {
  readonly by: AuthorReference | null;
  /** Decides the team at the time of the change, and the version checks that the change relies on. */
  readonly decide: (team: Team) => Outcome<{
    readonly versionChecks: readonly VersionCheck[];
    readonly teamAt: (at: number) => E.Either<ClinicalError, CareTeamState>;
  }>;
};

/** Reads a team with its date for a decision on it. */
const loadDated = (directory: DirectoryRecords, patientId: string): Outcome<Team & DatedHead> =>
  joinParts(directory.store, patientId, loadDatedHead(directory, patientId));

/** Writes a change of a patient's team. `decide` is called with the current team, once for each attempt. */
const createChangeWriter =
  (now: Environment['now'], toVersion: VersionWriter['toVersion'], diff: ReturnType<typeof createDiff>) =>
  (directory: DirectoryRecords, patientId: string, { by, decide }: TeamDecision): Outcome<ResourceVersion> =>
    transact(directory.store)(async () => {
      const loaded = await loadDated(directory, patientId);
      if (E.isLeft(loaded)) return loaded;
      const { head } = loaded.right;
      const decided = await decide(loaded.right);
      if (E.isLeft(decided)) return decided;
      // Not before: a client may have read the team while the host was asked for a member.
      const at = dateNextChange(head, now());
      const team = decided.right.teamAt(at);
      if (E.isLeft(team)) return team;
      const { changes, versionChecks } = diff(loaded.right, team.right, { at, by });
      const [written] = changes;
      return E.right({
        changes,
        versionChecks: [...loaded.right.versionChecks, ...versionChecks, ...decided.right.versionChecks],
        result:
          written === undefined
            ? { ...toVersion(head.state, head.stored), isUnwritten: true }
            : toVersion(JSON.parse(written.state), { ...written, version: head.stored.version + 1 }),
      });
    });

export const createTeamRecords = ({
  now,
  ...environment
}: Pick<Environment, 'now' | 'zone' | 'extensionBase' | 'usCore'>) => {
  const definition = defineCareTeamRecord(environment);
  const versions = createVersionWriter(definition, environment);
  const diff = createDiff(definition);

  return {
    read: createRead(versions),
    load: loadDated,
    diff,
    textOf: versions.textOf,
    /** The change that writes the team of a new patient. */
    createDefault: (patient: CareTeamState['patient'], authorship: Authorship): RecordChange => {
      const nobody = { participants: [], changedAt: 0, otherStatuses: [] };
      const team: ActivePart = { status: 'active', patient, ...nobody };
      return createChange(definition, missingRecord(patient.id), team, authorship);
    },
    change: createChangeWriter(now, versions.toVersion, diff),
  };
};

/**
 * The care teams in the store of the directory that is given. A patient who is known has a team, so `NotFound` means that the
 * patient is unknown.
 */
export type TeamRecords = ReturnType<typeof createTeamRecords>;
