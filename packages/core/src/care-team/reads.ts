import { reportReturned } from '../access/access-options.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import type { EithersOf } from '../outcome.ts';
import type { IncludeTable } from '../records/include.ts';
import { createJsonReads, type JsonReads } from '../records/json-reads.ts';
import { returnedVersion } from '../records/returned-page.ts';
import { careTeamFacts } from './facts.ts';
import { findTeams } from './find-teams.ts';
import { createReadTeam, createReadTeamVersions } from './read-team-versions.ts';
import { canFindUnstored } from './requested-patients.ts';
import type { TeamRecords } from './team-records.ts';

export const createCareTeamReads = (
  environment: Environment,
  {
    includes,
    ...sources
  }: {
    readonly directory: DirectoryRecords;
    readonly teams: TeamRecords;
    readonly includes: IncludeTable;
  },
): EithersOf<JsonReads<object>> => {
  const readTeam = createReadTeam(sources);
  return {
    ...createJsonReads(environment, {
      facts: careTeamFacts,
      includes,
      find: findTeams(environment, sources.directory),
      canFindUnstored,
      readVersions: createReadTeamVersions(environment, sources),
    }),
    read: (id, options = {}) => reportReturned(options, readTeam(id, options), returnedVersion('CareTeam')),
  };
};
