import type { TeamRecords } from '../care-team/team-records.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import type { RecordDefinitions } from '../records/record-definition.ts';
import type { Resources } from '../resource-definition.ts';

/** The input of corrections: the environment, the directory, the care teams, and how the records derive. */
export type CorrectionEnvironment = Pick<Environment, 'store' | 'now' | 'newId'> & {
  readonly directory: DirectoryRecords;
  readonly teams: TeamRecords;
  readonly definitions: RecordDefinitions;
  readonly resources: Resources;
};
