import { createChartSection } from '../chart/chart-section.ts';
import type { ChartRecord } from '../chart/command.ts';
import { moveRecord, omitChartReferences } from '../chart/move-record.ts';
import type { Environment } from '../environment.ts';
import { addNames, createChartImporter, requirePatient } from '../importer/chart-import.ts';
import type { ResourceImporter } from '../importer/import-definition.ts';
import {
  createReadableResources,
  createReadTables,
  type ReadableResources,
} from '../records/resource-reads.ts';
import type { ResourceDefinition } from '../resource-definition.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import { defineGoalCommands } from './commands.ts';
import { type Goal, type GoalCommandBody, goalCommandSchema, goalSchema } from './model.ts';
import { defineGoalRecord, type GoalSearch, goalFacts } from './record.ts';
import {
  continueGoal,
  createGoalSourceReader,
  nameGoalAuthors,
  otherVersions,
  toSourceGoal,
} from './source.ts';

/** Imports goals into the chart. */
const createGoalImporter = (environment: Environment): ResourceImporter =>
  createChartImporter(environment)({
    facts: goalFacts,
    event: { of: ({ description }: Goal) => ({ concept: description }) },
    recordDefinition: defineGoalRecord(environment),
    read: createGoalSourceReader(environment),
    toSource: toSourceGoal,
    prepare: requirePatient('Goal.subject'),
    continueFrom: continueGoal,
    complete: addNames(nameGoalAuthors),
  });

export const goal: ResourceDefinition<'Goal', 'goals', Goal, ReadableResources<Goal, GoalSearch>> = {
  ...goalFacts,
  name: 'goals',
  schema: goalSchema,
  requests: {},
  fieldElements: [],
  isEnd: (before, { lifecycleStatus }) =>
    before?.lifecycleStatus === 'active' && lifecycleStatus === 'completed',
  defineRecord: defineGoalRecord,
  createService: (environment, { includes }) =>
    createReadableResources<Goal>(environment, withFieldParameters(goalFacts, environment.fields), includes),
  functions: createReadTables('Goal'),
  commandSchema: goalCommandSchema,
  createCommands: (environment) => createChartSection(environment, defineGoalCommands(environment)),
  people: ['expressedBy', 'note'],
  otherVersions,
  defineImport: (environment) => ({
    importResource: createGoalImporter(environment),
    isKnownByIdentifier: true,
  }),
  move: (record: ChartRecord<GoalCommandBody>, { patientId }) => ({
    state: moveRecord(record, patientId, (body) =>
      body.kind === 'goal' ? { ...body, elements: omitChartReferences(body.elements) } : body,
    ),
    sideChanges: [],
  }),
};
