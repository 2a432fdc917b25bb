import * as E from 'fp-ts/lib/Either.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { parseTeamId } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { notFound } from '../errors.ts';
import { requireWithinLimit } from '../records/chart-limit.ts';
import type { IncludeTable } from '../records/include.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import type { ReadVersions } from '../records/read-versions.ts';
import type { TasksOf } from '../result.ts';
import { findTeams } from './find-teams.ts';
import { canFindUnstored } from './requested-patients.ts';
import { careTeamParameters } from './search-parameters.ts';
import type { TeamRecords } from './team-records.ts';

export const createCareTeamReads = (
  environment: Environment,
  {
    directory,
    teams,
    includes,
  }: {
    readonly directory: DirectoryRecords;
    readonly teams: TeamRecords;
    readonly includes: IncludeTable;
  },
): TasksOf<JsonReads<object>> => {
  const { store } = environment;
  const read: TasksOf<JsonReads>['read'] = (id, limit = {}) => {
    const { patientId, suffix } = parseTeamId(id);
    const allowed = requireWithinLimit(limit)(patientId);
    if (E.isLeft(allowed)) return TE.left(allowed.left);
    return async () => {
      const team = await teams.read(directory, patientId, suffix ?? 'active')();
      return E.isLeft(team) && team.left._tag === 'NotFound' ? E.left(notFound('CareTeam', id)) : team;
    };
  };

  /** Reads the team first, because the host may be the only one who knows the patient. */
  const readVersions: ReadVersions = (id, limit) => {
    const { patientId, suffix } = parseTeamId(id);
    const readTeam = read(id, limit);
    return async () => {
      const team = await readTeam();
      return E.isLeft(team) ? team : teams.readVersions(store, patientId, suffix ?? 'active')();
    };
  };

  const reads = createJsonReads(environment, {
    type: 'CareTeam',
    parameters: careTeamParameters,
    includes,
    find: findTeams(environment, directory),
    canFindUnstored,
    readVersions,
  });
  return { ...reads, read };
};
