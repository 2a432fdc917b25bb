import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { parseTeamId } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { notFound } from '../errors.ts';
import type { EithersOf } from '../outcome.ts';
import { requireWithinLimit } from '../records/chart-limit.ts';
import { isAuthorized } from '../records/is-authorized.ts';
import type { JsonReads } from '../records/json-reads.ts';
import type { ReadVersions } from '../records/read-versions.ts';
import type { TeamRecords } from './team-records.ts';

type TeamSources = { readonly directory: DirectoryRecords; readonly teams: TeamRecords };

/** Reads the participants of one status. */
export const createReadTeam =
  ({ directory, teams }: TeamSources): EithersOf<JsonReads>['read'] =>
  async (id, limit = {}) => {
    const { patientId, suffix } = parseTeamId(id);
    const allowed = requireWithinLimit(limit)(patientId);
    if (E.isLeft(allowed)) return allowed;
    const { authorize } = limit;
    const missing = E.left(notFound('CareTeam', id));
    const team = await teams.read(directory, patientId, suffix ?? 'active');
    if (E.isLeft(team)) return team.left._tag === 'NotFound' ? missing : team;
    return authorize === undefined || (await isAuthorized(authorize, { id, patientIds: [patientId] }))
      ? team
      : missing;
  };

/**
 * Reads the versions of a team. It reads the team first, because the host may be the only one who knows the patient. A patient
 * who was merged into another one has no team, but its versions until then.
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
    const versions = await sources.teams.readVersions(store, patientId, suffix ?? 'active');
    if (E.isLeft(team) && E.isRight(versions) && versions.right.length === 0) return team;
    return authorize === undefined || (await isAuthorized(authorize, { id, patientIds: [patientId] }))
      ? versions
      : E.left(notFound('CareTeam', id));
  };
};
