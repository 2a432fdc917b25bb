import { flow, pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { DirectoryRecords } from '../directory/directory.ts';
import { inGroups } from '../directory/in-groups.ts';
import type { Environment } from '../environment.ts';
import { notFound } from '../errors.ts';
import { withinChart } from '../records/access.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import type { ResourceVersion } from '../records/resource-version.ts';
import type { SearchCondition } from '../store/query.ts';
import { deriveCareTeam, lastModified } from './derive.ts';
import { loadTeam } from './load-team.ts';
import type { TeamRecord } from './model.ts';
import { careTeamParameters } from './search-index.ts';
import { parseTeamId, teamId } from './team-id.ts';

/**
 * A team as it is handed on: one without participants, too, and last modified when its members were, in whatever status.
 * `stored` is the record of the whole team. Its version is that of each part: names and who left a status show in a part
 * whose own record does not change.
 */
export const teamVersion = (
  extensionBase: string,
  team: TeamRecord,
  stored: { readonly version: number; readonly resource: string | null },
): ResourceVersion => ({
  id: teamId(team.patient.id, team.status),
  patientId: team.patient.id,
  version: stored.version,
  lastModified: lastModified(team),
  json: stored.resource ?? JSON.stringify(deriveCareTeam(extensionBase)(team, team.status)),
});

/** The patients whose teams a search can find: those whom each of its conditions on patients names. */
const patientsSought = (conditions: readonly SearchCondition[]): readonly string[] => {
  const named = conditions.flatMap((condition) =>
    condition.on === 'patient' ? [new Set(condition.anyOf)] : [],
  );
  return named.length === 0 ? [] : [...named.reduce((some, others) => some.intersection(others))];
};

export const careTeamReads = (environment: Environment, directory: DirectoryRecords): JsonReads => {
  const { extensionBase } = environment;
  const load = loadTeam(environment, directory);
  const reads = createJsonReads(environment, {
    type: 'CareTeam',
    parameters: careTeamParameters,
    beforeSearch: flow(
      patientsSought,
      inGroups((patientId) => directory.known('Patient', patientId)),
    ),
  });
  const read: JsonReads['read'] = (id, access = {}) => {
    const { patientId, suffix } = parseTeamId(id);
    return pipe(
      TE.fromEither(withinChart(access)(patientId)),
      TE.flatMap(() => load(patientId)),
      TE.mapLeft((error) => (error._tag === 'NotFound' ? notFound('CareTeam', id) : error)),
      TE.map(({ state, stored }) => {
        const status = suffix ?? 'active';
        const resource = status === 'active' ? stored.resource : null;
        return teamVersion(extensionBase, { ...state, status }, { version: stored.version, resource });
      }),
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
