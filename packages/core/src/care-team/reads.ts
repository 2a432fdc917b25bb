import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import { parseTeamId, teamId } from '../directory/team-id.ts';
import type { Environment } from '../environment.ts';
import { notFound } from '../errors.ts';
import { requireWithinLimit } from '../records/chart-limit.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import type { TasksOf } from '../result.ts';
import { findTeams } from './find-teams.ts';
import { canFindUnstored } from './requested-patients.ts';
import { careTeamParameters } from './search-parameters.ts';
import type { TeamRecords } from './team-records.ts';

export const createCareTeamReads = (
  environment: Environment,
  { directory, teams }: { readonly directory: DirectoryRecords; readonly teams: TeamRecords },
): TasksOf<JsonReads<object>> => {
  const reads = createJsonReads(environment, {
    type: 'CareTeam',
    parameters: careTeamParameters,
    find: findTeams(environment, directory),
    canFindUnstored,
  });
  const read: TasksOf<JsonReads>['read'] = (id, limit = {}) => {
    const { patientId, suffix } = parseTeamId(id);
    return pipe(
      TE.fromEither(requireWithinLimit(limit)(patientId)),
      TE.flatMap(() => teams.read(directory, patientId, suffix ?? 'active')),
      TE.mapLeft((error) => (error._tag === 'NotFound' ? notFound('CareTeam', id) : error)),
    );
  };

  /** A team of a status that nobody was in can be read, and has no version. */
  const versionsOf = (id: string) =>
    pipe(
      reads.history(id),
      TE.orElse((error) => (error._tag === 'NotFound' ? TE.right([]) : TE.left(error))),
    );

  return {
    ...reads,
    read,
    history: (id, limit = {}) => {
      const { patientId, suffix } = parseTeamId(id);
      return pipe(
        read(id, limit),
        TE.flatMap(() => versionsOf(teamId(patientId, suffix ?? 'active'))),
      );
    },
  };
};
