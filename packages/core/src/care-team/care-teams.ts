import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import { reportReturned } from '../access/access.ts';
import type { ReportedCall, Reports } from '../access/report-calls.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { parseTeamId, teamId } from '../directory/model.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, notFound, notSupported, otherChartError } from '../errors.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import type { EithersOf } from '../outcome.ts';
import { isAuthorized, requireWithinLimit, type WriteOptions } from '../records/chart-limit.ts';
import type { ReadVersions } from '../records/history.ts';
import type { IncludeTable } from '../records/include.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import { type ResourceVersion, returnedVersion } from '../records/page.ts';
import { createPreconditionCheck, type Precondition } from '../records/precondition.ts';
import {
  createResourceReads,
  parseResource,
  type ResourceReads,
  readReports,
  writtenResource,
  writtenVersion,
} from '../records/resource-reads.ts';
import {
  type CareTeamUpdateBody,
  createUpdateBodySchema,
  omitAbsentRoles,
  toCareTeamUpdate,
} from './bodies.ts';
import { type CareTeam, type CareTeamRole, careTeamIssue } from './model.ts';
import { type CareTeamSearch, careTeamFacts, lastModified } from './record.ts';
import { canFindUnstored, createFindTeams } from './search.ts';
import { stateOf, type TeamRecords } from './team-records.ts';
import { type CareTeamHostActions, createHostActions, decideUpdate, loadMemberNames } from './writes.ts';

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

/** Care teams: read, updated through the interface, and changed from the host's own screens. */
export type CareTeams = ResourceReads<CareTeam, CareTeamSearch> &
  CareTeamWrites<CareTeam, CareTeamUpdateBody> &
  CareTeamHostActions & {
    /** The same with JSON texts as results. A write takes a body of any type, and checks it. */
    readonly asJson: JsonReads<CareTeamSearch> & CareTeamWrites<ResourceVersion>;
  };

type TeamSources = { readonly directory: DirectoryRecords; readonly teams: TeamRecords };

/** Reads the participants of one status. */
const createReadTeam =
  ({ directory, teams }: TeamSources): EithersOf<JsonReads>['read'] =>
  async (id, limit = {}) => {
    const { patientId } = parseTeamId(id);
    const allowed = requireWithinLimit(limit)(patientId);
    if (E.isLeft(allowed)) return allowed;
    const { authorize } = limit;
    const missing = E.left(notFound('CareTeam', id));
    const team = await teams.read(directory, id);
    if (E.isLeft(team)) return team.left._tag === 'NotFound' ? missing : team;
    return authorize === undefined || (await isAuthorized(authorize, { id, patientIds: [patientId] }))
      ? team
      : missing;
  };

/**
 * Reads the versions of one status; it has none if nobody was ever in the status. The team is read first, because the host may be
 * the only one who knows the patient. A patient who was merged into another one has no team, but its versions until then.
 */
export const createReadTeamVersions = (
  { store }: Pick<Environment, 'store'>,
  sources: TeamSources,
): ReadVersions => {
  const read = createReadTeam(sources);
  return async (id, limit) => {
    const { patientId, suffix } = parseTeamId(id);
    const { authorize, ...ownLimit } = limit;
    const team = await read(id, ownLimit);
    // An id with two statuses names no team.
    const hasTwoStatuses = parseTeamId(patientId).suffix !== null;
    if (E.isLeft(team) && (team.left._tag !== 'NotFound' || hasTwoStatuses)) return team;
    const versions = await sources.teams.readVersions(store, teamId(patientId, suffix ?? 'active'));
    if (E.isLeft(team) && E.isRight(versions) && versions.right.length === 0) return team;
    return authorize === undefined || (await isAuthorized(authorize, { id, patientIds: [patientId] }))
      ? versions
      : E.left(notFound('CareTeam', id));
  };
};

const type = 'CareTeam';

const reads = readReports(type);

const reportWrite = (id: string, user: ReportedCall['user']): ReportedCall<CareTeam> => ({
  interaction: 'update',
  type,
  id,
  user,
  written: writtenResource,
});

/** The reports of the functions. */
export const careTeamReports: Reports<CareTeams> = {
  ...reads,
  update: (id, _, user) => reportWrite(id, user),
  setParticipantStatus: (id, _member, _status, user) => reportWrite(id, user),
  removeAllParticipants: reportWrite,
  asJson: {
    ...reads,
    update: (id, _, user) => ({ interaction: 'update', type, id, user, written: writtenVersion(type) }),
  },
};

export const createCareTeams = (
  environment: Environment,
  {
    roles,
    includes,
    ...sources
  }: TeamSources & { readonly roles: readonly CareTeamRole[]; readonly includes: IncludeTable },
): EithersOf<CareTeams> => {
  const { extensionBase, usCore } = environment;
  const { directory, teams } = sources;
  const readTeam = createReadTeam(sources);
  const json: EithersOf<JsonReads<object>> = {
    ...createJsonReads(environment, {
      facts: careTeamFacts,
      includes,
      find: createFindTeams(environment, directory),
      canFindUnstored,
      readVersions: createReadTeamVersions(environment, sources),
    }),
    read: (id, options = {}) => reportReturned(options, readTeam(id, options), returnedVersion('CareTeam')),
  };
  const parse = createBodyParser(createUpdateBodySchema(extensionBase), 'CareTeam');

  const update: EithersOf<CareTeamWrites<ResourceVersion>>['update'] = async (id, body, options = {}) => {
    const { by = null, handling = 'lenient' } = options;
    const { patientId, suffix } = parseTeamId(id);
    if (suffix !== null) return E.left(notSupported(careTeamIssue('status-suffix', 'CareTeam.id')));
    const parsed = parse(body, handling);
    if (E.isLeft(parsed)) return parsed;
    const requested = toCareTeamUpdate(parsed.right);
    const sent = usCore === null ? requested : omitAbsentRoles(requested);
    if (sent.id !== id) return E.left(invalidRequest(bodyIssue('id-differs', 'CareTeam.id')));
    const allowed = requireWithinLimit(options)(patientId);
    if (E.isLeft(allowed)) return allowed;
    const isMet = createPreconditionCheck(options);
    const { authorize } = options;
    if (authorize !== undefined && !(await isAuthorized(authorize, { id, patientIds: [patientId] }))) {
      return E.left(otherChartError);
    }
    return teams.change(directory, id, {
      by,
      decide: async (loaded) => {
        const { stored, state } = loaded.head;
        const met = isMet({ version: stored.version, lastModified: lastModified(state) });
        if (E.isLeft(met)) return met;
        const members = await loadMemberNames(directory)(sent.participants);
        if (E.isLeft(members)) return members;
        const { names, versionChecks } = members.right;
        return E.right({
          versionChecks,
          teamAt: (at) => decideUpdate(stateOf(loaded), sent, { names, roles, at }),
        });
      },
    });
  };

  return {
    ...createResourceReads<CareTeam>(json),
    ...createHostActions(teams, { directory, roles }),
    update: async (id, body, options) =>
      pipe(await update(id, body, options), E.map(parseResource<CareTeam>)),
    asJson: { ...json, update },
  };
};
