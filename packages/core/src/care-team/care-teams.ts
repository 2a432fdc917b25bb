import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import type { Reports } from '../access/reports.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { parseTeamId } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { invalidRequest, notSupported, otherChartError } from '../errors.ts';
import { bodyIssue } from '../fhir/issues.ts';
import { createBodyParser } from '../fhir/parse-body.ts';
import type { EithersOf } from '../outcome.ts';
import { requireWithinLimit, type WriteOptions } from '../records/chart-limit.ts';
import type { IncludeTable } from '../records/include.ts';
import { isAuthorized } from '../records/is-authorized.ts';
import type { JsonReads } from '../records/json-reads.ts';
import { createPreconditionCheck, type Precondition } from '../records/precondition.ts';
import { readReports, writtenResource, writtenVersion } from '../records/read-reports.ts';
import { createResourceReads, parseResource, type ResourceReads } from '../records/resource-reads.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import { omitAbsentRoles } from './absent-roles.ts';
import { decideUpdate, loadMemberNames, statusesForUpdate } from './decide-update.ts';
import { lastModified } from './derive.ts';
import { type CareTeamHostActions, createHostActions } from './host-actions.ts';
import { careTeamIssue } from './issues.ts';
import type { CareTeam, CareTeamRole } from './model.ts';
import { createCareTeamReads } from './reads.ts';
import { type CareTeamUpdateBody, toCareTeamUpdate, updateBody } from './request-bodies.ts';
import type { CareTeamSearch } from './search-parameters.ts';
import type { TeamRecords } from './team-records.ts';
import { teamOf } from './team-snapshot.ts';

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

const type = 'CareTeam';

const reads = readReports(type);

/** The reports of the functions. */
export const careTeamReports: Reports<CareTeams> = {
  ...reads,
  update: (id, _, user) => ({ interaction: 'update', type, id, user, written: writtenResource }),
  setParticipantStatus: (id, _member, _status, user) => ({
    ...{ interaction: 'update', type, id, user, written: writtenResource },
  }),
  removeAllParticipants: (id, user) => ({
    ...{ interaction: 'update', type, id, user, written: writtenResource },
  }),
  asJson: {
    ...reads,
    update: (id, _, user) => ({ interaction: 'update', type, id, user, written: writtenVersion(type) }),
  },
};

export const createCareTeams = (
  environment: Environment,
  {
    directory,
    teams,
    roles,
    includes,
  }: {
    readonly directory: DirectoryRecords;
    readonly teams: TeamRecords;
    readonly roles: readonly CareTeamRole[];
    readonly includes: IncludeTable;
  },
): EithersOf<CareTeams> => {
  const { extensionBase, usCore } = environment;
  const json = createCareTeamReads(environment, { directory, teams, includes });
  const parse = createBodyParser(updateBody(extensionBase), 'CareTeam');

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
    const change = () =>
      teams.change(directory, id, {
        by,
        neededStatuses: statusesForUpdate(sent.participants),
        decide: async (loaded) => {
          const { stored, state } = loaded.active;
          const met = isMet({ version: stored.version, lastModified: lastModified(state) });
          if (E.isLeft(met)) return met;
          const members = await loadMemberNames(directory)(sent.participants);
          if (E.isLeft(members)) return members;
          const { names, versionChecks } = members.right;
          return E.right({
            versionChecks,
            teamAt: (at) => decideUpdate(teamOf(loaded), sent, { names, roles, at }),
          });
        },
      });
    const { authorize } = options;
    if (authorize === undefined) return change();
    return (await isAuthorized(authorize, { id, patientIds: [patientId] }))
      ? change()
      : E.left(otherChartError);
  };

  return {
    ...createResourceReads<CareTeam>(json),
    ...createHostActions(teams, { directory, roles }),
    update: async (id, body, options) =>
      pipe(await update(id, body, options), E.map(parseResource<CareTeam>)),
    asJson: { ...json, update },
  };
};
