import { createChartSection } from '../chart/chart-section.ts';
import type { ChartRecord } from '../chart/command.ts';
import { moveRecord } from '../chart/move-record.ts';
import { readReports } from '../records/read-reports.ts';
import { createReadableResources, type ReadableResources } from '../records/readable-resources.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { defineGoalCommands } from './commands.ts';
import { goalFacts } from './facts.ts';
import { createGoalWrites, type GoalWrites, goalWriteReports } from './goal-writes.ts';
import { createGoalImporter } from './importer.ts';
import { type Goal, type GoalCommandBody, goal as goalSchema, stagedGoal } from './model.ts';
import { defineGoalRecord } from './record-definition.ts';
import { createBody, updateBody } from './request-bodies.ts';
import type { GoalSearch } from './search-parameters.ts';

/** Goals: read, and written by a server that serves their commands. */
export type Goals = ReadableResources<Goal, GoalSearch> & {
  /** The same with JSON texts as results. A write takes a body of any type, and checks it. */
  readonly asJson: GoalWrites;
};

export const goal: ResourceDefinition<'Goal', 'goals', Goal, Goals> = {
  ...goalFacts,
  name: 'goals',
  schema: () => goalSchema,
  stagedSchema: stagedGoal,
  requests: {
    create: { body: () => createBody, errorTags: ['InvalidRequest', 'RuleViolation'] },
    update: {
      body: () => updateBody,
      errorTags: ['InvalidRequest', 'NotSupported', 'RuleViolation', 'PreconditionFailed'],
    },
  },
  defineRecord: defineGoalRecord,
  createService: (environment, { directory, includes }) => {
    const goals = createReadableResources<Goal>(environment, goalFacts, includes);
    return { ...goals, asJson: { ...goals.asJson, ...createGoalWrites(environment, directory) } };
  },
  reports: { ...readReports('Goal'), asJson: { ...readReports('Goal'), ...goalWriteReports } },
  writes: ['create', 'update'],
  createCommands: (environment, directory) =>
    createChartSection(environment, directory, defineGoalCommands(environment)),
  defineImport: (environment) => ({ importResource: createGoalImporter(environment) }),
  move: (record: ChartRecord<GoalCommandBody>, { patientId }) => ({
    state: moveRecord(record, patientId),
    sideChanges: [],
  }),
};
