import { chartKind } from '../chart/chart-kind.ts';
import { deriveGoal } from './derive.ts';

export const goalKind = chartKind('Goal', deriveGoal);
