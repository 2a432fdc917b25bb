import type { Environment } from '../environment.ts';
import { createRecordImporter } from '../importer/record-importer.ts';
import { addNames, requirePatient } from '../importer/record-references.ts';
import type { ResourceImporter } from '../importer/resource-importer.ts';
import { deriveGoal } from './derive.ts';
import { defineGoalRecord } from './record-definition.ts';
import { createGoalSourceReader, nameGoalAuthors } from './source-reader.ts';

/** Imports goals into the chart. */
export const createGoalImporter = (environment: Environment): ResourceImporter =>
  createRecordImporter(environment)({
    recordDefinition: defineGoalRecord(environment),
    read: createGoalSourceReader(environment),
    toSource: deriveGoal,
    prepare: requirePatient('Goal.subject'),
    complete: addNames(nameGoalAuthors),
  });
