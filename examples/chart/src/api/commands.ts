import { RequestError } from '@clinical-records/client';
import type { BeginGoalCommand, ChartCommand, CommandSearch } from '@clinical-records/core';
import { type Client, listOf } from './client.ts';

export type StagedGoal = Omit<ChartCommand, 'command'> & { readonly command: BeginGoalCommand };

export const isStagedGoal = (command: ChartCommand): command is StagedGoal => command.command.kind === 'goal';

/** The commands that are staged; none if the server has no commands, or the user may not see them. */
export const searchStaged = (
  { commands }: Client,
  parameters: Omit<CommandSearch, 'status'>,
): Promise<readonly ChartCommand[]> =>
  listOf(commands.search({ ...parameters, status: 'staged' })).catch((cause) => {
    if (cause instanceof RequestError && [403, 404].includes(cause.status)) return [];
    throw cause;
  });
