import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import type { Environment } from '../environment.ts';
import { notFound } from '../errors.ts';
import { withinChart } from '../records/access.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import { findTeams, mayComeToBe } from './find-teams.ts';
import { careTeamParameters } from './search-index.ts';
import { parseTeamId, teamId } from './team-id.ts';
import type { TeamRecords } from './team-records.ts';

export const careTeamReads = (
  environment: Environment,
  { directory, teams }: { readonly directory: DirectoryRecords; readonly teams: TeamRecords },
): JsonReads => {
  const reads = createJsonReads(environment, {
    type: 'CareTeam',
    parameters: careTeamParameters,
    find: findTeams(environment, directory),
    mayComeToBe,
  });
  const read: JsonReads['read'] = (id, access = {}) => {
    const { patientId, suffix } = parseTeamId(id);
    return pipe(
      TE.fromEither(withinChart(access)(patientId)),
      TE.flatMap(() => teams.read(patientId, suffix ?? 'active')),
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
    history: (id, access = {}) => {
      const { patientId, suffix } = parseTeamId(id);
      return pipe(
        read(id, access),
        TE.flatMap(() => versionsOf(teamId(patientId, suffix ?? 'active'))),
      );
    },
  };
};
