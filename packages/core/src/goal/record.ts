import type { RecordKind } from '../records/record-kind.ts';
import { deriveGoal } from './derive.ts';
import type { GoalRecord } from './model.ts';

export const goalKind: RecordKind<GoalRecord> = {
  type: 'Goal',
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: (record) => {
    const resource = deriveGoal(record);
    return resource && { resource, index: [] };
  },
};
