import { defineChartRecord } from '../chart/chart-record-definition.ts';
import { deriveGoal } from './derive.ts';

export const goalRecordDefinition = defineChartRecord('Goal', deriveGoal);
