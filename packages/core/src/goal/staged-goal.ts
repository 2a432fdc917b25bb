import { withProfile } from '../records/profile.ts';
import { createResourceVersion, type ResourceVersion } from '../records/resource-version.ts';
import { deriveGoal } from './derive.ts';
import { goalFacts } from './facts.ts';
import type { Goal, GoalRecord, StagedGoal } from './model.ts';

/** The first version of a goal that is only staged: as it will be read once it is committed, but `proposed`. */
export const stagedGoalVersion = (record: GoalRecord): ResourceVersion => {
  const { id, patientId, commands } = record;
  const at = commands[0]?.stagedAt ?? 0;
  const committed = commands.map((command) => ({ ...command, committed: { at, by: null, order: 0 } }));
  const goal = deriveGoal({ ...record, commands: committed }) as Goal;
  const resource: StagedGoal = { ...withProfile(goalFacts, goal), lifecycleStatus: 'proposed' };
  return createResourceVersion('Goal', id, {
    ...{ patientId, version: 1, at, resource: JSON.stringify(resource) },
  });
};
