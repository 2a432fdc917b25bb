import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { type ChartLimit, viewForms, type WriteOptions } from '../access/chart-limit.ts';
import { warningForms } from '../access/warnings.ts';
import { createServiceTable, updateByBody, writeWithinReach } from '../chart/body-writes.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { parseTeamId, teamId } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import {
  type ClinicalError,
  invalidRequest,
  notFound,
  notSupported,
  type Outcome,
  otherChartError,
  relocateIssues,
} from '../errors.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import { anything, type Form, id, namedValues, text } from '../forms.ts';
import { createFieldParser } from '../host-fields/read-fields.ts';
import type { FunctionTable } from '../open-service.ts';
import { ClinicalRecordsError, type EithersOf, orThrow } from '../outcome.ts';
import type { IncludeTable } from '../records/include.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import { type ResourceVersion, returnedVersion } from '../records/page.ts';
import {
  type CallerReach,
  createVersionGate,
  type PastVersion,
  readVisible,
  type VersionReaches,
  type VersionReader,
  walkVisible,
} from '../records/past-versions.ts';
import { openReach, openVersions, type Reach } from '../records/reach.ts';
import { createResourceReads, parseResource, type ResourceReads } from '../records/resource-reads.ts';
import { createPreconditionCheck, type Precondition, preconditionForms } from '../records/transact.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import type { RecordRef } from '../store/port.ts';
import { bytesOf } from '../store/versions.ts';
import {
  type CareTeamUpdateBody,
  createUpdateBodySchema,
  omitAbsentRoles,
  toCareTeamUpdate,
} from './bodies.ts';
import type { CareTeam, CareTeamRole } from './model.ts';
import { type CareTeamSearch, careTeamFacts, lastModified } from './record.ts';
import { careTeamIssue } from './rules.ts';
import { createFindTeams } from './search.ts';
import { stateOf, type Team, type TeamRecords } from './team-records.ts';
import {
  type CareTeamHostActions,
  createHostActions,
  createSetStatus,
  decideUpdate,
  loadMemberNames,
  participantStatusSchema,
  type TeamWriter,
} from './writes.ts';

/**
 * How care teams are written through the interface: a write takes a `Body` and returns an `A`.
 * Source: docs/http-interface.md#careteam.
 */
export type CareTeamWrites<A, Body = unknown> = {
  /**
   * Makes the participants sent the active ones of a patient's team, and those no longer sent inactive. Where none is sent,
   * those who are proposed or suspended become inactive, too.
   * Errors: `InvalidRequest`, `NotSupported`, `NotFound`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly update: (id: string, body: Body, options?: WriteOptions & Precondition) => Promise<A>;
};

/** How a server lets users give a member any status, such as proposed or suspended. Source: docs/http-interface.md#chart-commands. */
export type ParticipantStatusWrites = {
  /**
   * Gives the member in a body a status: `member`, `status` and, for a practitioner who is new to the team, a `role`.
   * Errors: `InvalidRequest`, `NotSupported`, `NotFound`, `PreconditionFailed`, `RuleViolation`, `Forbidden`, `StoreFailure`.
   */
  readonly setParticipantStatus: (
    patientId: string,
    body: unknown,
    options?: Omit<WriteOptions, 'handling'> & Precondition,
  ) => Promise<ResourceVersion>;
};

/** Care teams: read, updated through the interface, and changed from the host's own screens. */
export type CareTeams = ResourceReads<CareTeam, CareTeamSearch> &
  CareTeamWrites<CareTeam, CareTeamUpdateBody> &
  CareTeamHostActions & {
    /** The same with JSON texts as results. A write takes a body of any type, and checks it. */
    readonly asJson: JsonReads<CareTeamSearch> & CareTeamWrites<ResourceVersion> & ParticipantStatusWrites;
  };

const type = 'CareTeam';

type TeamSources = { readonly directory: DirectoryRecords; readonly teams: TeamRecords };

/** Reads the participants of one status. */
const createReadTeam =
  ({ directory, teams }: TeamSources) =>
  async (id: string): Outcome<ResourceVersion> => {
    const team = await teams.read(directory, id);
    return E.isLeft(team) && team.left._tag === 'NotFound' ? E.left(notFound(type, id)) : team;
  };

/**
 * Reads the versions of one status; it has none if nobody was ever in the status. Only then the team itself is read, because the host
 * may be the only one who knows the patient. A patient who was merged into another one has no team, but its versions until then.
 */
export const createTeamVersionReader = (
  { store }: Pick<Environment, 'store'>,
  sources: TeamSources,
): VersionReader => {
  const readTeam = createReadTeam(sources);
  const refOf = (id: string): RecordRef => {
    const { patientId, suffix } = parseTeamId(id);
    return { type: 'CareTeam', id: teamId(patientId, suffix ?? 'active') };
  };
  const readText: VersionReader['readText'] = async (id, version) => {
    const stored = await orThrow(store.readVersion({ ...refOf(id), version }));
    return stored && sources.teams.textOf(stored);
  };
  /** The same, and the text of a team that has no version yet as that of version 0. */
  const readShownText: VersionReader['readText'] = async (id, version) =>
    version === 0 ? (await orThrow(readTeam(id))).json : readText(id, version);
  /** A version without a resource can be one at which nobody was in the status. */
  const withBytes = async (version: PastVersion): Promise<PastVersion> => {
    if (version.bytes !== null) return version;
    const text = await readText(version.id, version.version);
    return { ...version, bytes: text === null ? null : bytesOf(text) };
  };
  /** Throws if the caller cannot reach the patient, or the id names no team. An id with two statuses names none. */
  const reachOf = (id: string, reaches: VersionReaches): CallerReach => {
    const { patientId } = parseTeamId(id);
    if (!reaches[0].reach.admits(patientId)) throw new ClinicalRecordsError(otherChartError);
    const notFoundError = notFound('CareTeam', id);
    if (parseTeamId(patientId).suffix !== null) throw new ClinicalRecordsError(notFoundError);
    const gate = createVersionGate({ store, readText: readShownText }, refOf(id), reaches);
    const ifMissing = async () => {
      await orThrow(readTeam(id));
      if (!(await gate({ version: 0, patientId }))) throw new ClinicalRecordsError(notFoundError);
    };
    return { gate, notFoundError, ifMissing };
  };
  return {
    pages: async function* (id, reaches, start) {
      for await (const page of walkVisible(store, refOf(id), reachOf(id, reaches), start)) {
        const isWritten = page.every(({ bytes }) => bytes !== null);
        yield isWritten ? page : await Promise.all(page.map(withBytes));
      }
    },
    read: async (id, reaches, version) => {
      const stored = await readVisible(store, { ...refOf(id), version }, reachOf(id, reaches));
      return stored && { ...stored, resource: sources.teams.textOf(stored) };
    },
    readText,
  };
};

const access = { interaction: 'update', type } as const;

const table = createServiceTable(type, ['update']);

const member: Form = { ...text, error: invalidRequest(careTeamIssue('invalid-member', 'member')) };

export const careTeamFunctions: FunctionTable<CareTeams> = {
  ...table,
  setParticipantStatus: {
    kind: 'write',
    takes: [id, member, anything],
    options: { ...viewForms, ...warningForms, role: namedValues },
    access,
  },
  removeAllParticipants: { kind: 'write', takes: [id], options: { ...viewForms, ...warningForms }, access },
  asJson: {
    ...table.asJson,
    setParticipantStatus: {
      kind: 'write',
      takes: [id, anything],
      options: { ...viewForms, ...warningForms, ...preconditionForms },
      access,
    },
  },
};

const parseStatus = createBodyParser(participantStatusSchema, 'Command');

/** Locates an issue at the element of the body. */
const locateAtStatusBody = relocateIssues(
  (field) => `Command.${field.replace(/^participant\.?/, '') || 'member'}`,
);

/** Refuses the id of one status of a team: a team is written under the id of its patient. */
const requireTeamId = (id: string): E.Either<ClinicalError, void> =>
  parseTeamId(id).suffix === null
    ? E.right(undefined)
    : E.left(notSupported(careTeamIssue('status-suffix', 'CareTeam.id')));

/** The version of a team is that of its active participants. */
const versionOf = ({ head: { stored, state } }: Team) => ({
  version: stored.version,
  lastModified: lastModified(state),
});

/** Reads the teams within reach of their callers. */
const createReachedTeams = (environment: Environment, sources: TeamSources) => {
  const { store, zone, now } = environment;
  const readTeam = createReadTeam(sources);
  const facts = withFieldParameters(careTeamFacts, environment.fields);
  const context = { environment, directory: sources.directory, facts };
  const openTeam = (options: ChartLimit) => openReach(options, { facts, zone, now });

  /** Reads a team. That of another patient is refused. */
  const read: EithersOf<JsonReads>['read'] = async (id, options = {}) => {
    const reach = openTeam(options);
    if (E.isLeft(reach)) return reach;
    if (!reach.right.admits(parseTeamId(id).patientId)) return E.left(otherChartError);
    const team = await readTeam(id);
    if (E.isLeft(team)) return team;
    const isShown = await reach.right.shows({ ...team.right, resource: team.right.json }, id);
    if (!isShown) return E.left(notFound(type, id));
    reach.right.report(() => ({ resources: returnedVersion(type)(team.right), searchedPatientIds: [] }));
    return team;
  };

  /** Refuses the team of a patient whom the caller may not reach. Otherwise, determines the charts to which it may write. */
  const reachTeam = async (patientId: string, reach: Reach): Outcome<Reach['admits']> => {
    if (!reach.admits(patientId)) return E.left(otherChartError);
    if (reach.limitsResources) {
      const team = await readTeam(patientId);
      if (E.isLeft(team)) return team;
      if (!reach.covers({ ...team.right, resource: team.right.json }))
        return E.left(notFound(type, patientId));
    }
    const team = { record: { type, id: patientId }, patientId };
    const isOpen = await openVersions(store, team, [{ reach, id: patientId }]);
    if (E.isLeft(isOpen)) return isOpen;
    return isOpen.right ? E.right(reach.admits) : E.left(otherChartError);
  };

  /** Writes a team within the reach of the caller. */
  const write: TeamWriter = async (patientId, options, change) => {
    const reach = openTeam(options);
    if (E.isLeft(reach)) return reach;
    const reached = await reachTeam(patientId, reach.right);
    return E.isLeft(reached) ? reached : writeWithinReach(context, reach.right, change);
  };
  return { context, read, reachTeam, write };
};

export const createCareTeams = (
  environment: Environment,
  {
    roles,
    includes,
    ...sources
  }: TeamSources & { readonly roles: readonly CareTeamRole[]; readonly includes: () => IncludeTable },
): EithersOf<CareTeams> => {
  const { extensionBase, usCore, zone, now } = environment;
  const { directory, teams } = sources;
  const { context, read, reachTeam, write } = createReachedTeams(environment, sources);
  const json: EithersOf<JsonReads<object>> = {
    ...createJsonReads(environment, {
      facts: context.facts,
      includes,
      find: createFindTeams(environment, directory),
      versions: createTeamVersionReader(environment, sources),
    }),
    read,
  };
  const fields = environment.fields?.get(type);
  const parse = createFieldParser(createUpdateBodySchema(extensionBase), type, fields);
  const hasFields = fields !== undefined;

  const memberWrites = { roles, write };
  const setStatus = createSetStatus(teams, memberWrites);

  const setParticipantStatus: EithersOf<ParticipantStatusWrites>['setParticipantStatus'] = async (
    patientId,
    body,
    options = {},
  ) => {
    const ofTeam = requireTeamId(patientId);
    if (E.isLeft(ofTeam)) return ofTeam;
    const sent = parseStatus(body, 'strict');
    if (E.isLeft(sent)) return sent;
    const requireVersion = createPreconditionCheck(options);
    const requireTeam = (team: Team) => requireVersion(versionOf(team));
    return E.mapLeft(locateAtStatusBody)(await setStatus(patientId, sent.right, { ...options, requireTeam }));
  };

  const updateActive = updateByBody(context, {
    parse: (body, handling) =>
      pipe(
        parse(body, handling),
        E.map((sent) => toCareTeamUpdate(sent, body, { zone, now, hasFields })),
        E.map((requested) => (usCore ? omitAbsentRoles(requested) : requested)),
      ),
    reachOf: reachTeam,
    change: (on, id, sent, { by, requireVersion }) =>
      teams.change(on, id, {
        by,
        decide: async (loaded) => {
          const required = requireVersion(versionOf(loaded));
          if (E.isLeft(required)) return required;
          const members = await loadMemberNames(on)(sent.participants);
          if (E.isLeft(members)) return members;
          const { names, versionChecks } = members.right;
          return E.right({
            versionChecks,
            teamAt: (at) => decideUpdate(stateOf(loaded), sent, { names, roles, at }),
          });
        },
      }),
  });

  const update: typeof updateActive = async (id, body, options) => {
    const ofTeam = requireTeamId(id);
    return E.isLeft(ofTeam) ? ofTeam : updateActive(id, body, options);
  };

  return {
    ...createResourceReads<CareTeam>(json),
    ...createHostActions(teams, memberWrites),
    update: async (id, body, options) =>
      pipe(await update(id, body, options), E.map(parseResource<CareTeam>)),
    asJson: { ...json, update, setParticipantStatus },
  };
};
