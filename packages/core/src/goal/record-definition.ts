import { defineChartRecord } from '../chart/chart-record-definition.ts';
import type { Environment } from '../environment.ts';
import { deriveGoal } from './derive.ts';
import { goalFacts } from './facts.ts';
import { indexGoal } from './search-parameters.ts';

export const defineGoalRecord = ({ zone }: Pick<Environment, 'zone'>) =>
  defineChartRecord(goalFacts, deriveGoal, (goal) => indexGoal(goal, zone));
