import type { ChartResourceType } from '../chart/command.ts';
import type { DirectoryRecords } from '../directory/directory-records.ts';
import type { Environment } from '../environment.ts';
import type { RecordDefinition } from '../records/record-definition.ts';

/** The input of corrections: the environment, the directory, and how the records derive. */
export type CorrectionEnvironment = Pick<Environment, 'store' | 'now' | 'newId'> & {
  readonly directory: DirectoryRecords;
  readonly definitions: Readonly<Record<ChartResourceType, RecordDefinition<never>>>;
};
