import type { BeginGoalCommand, ChartCommand } from '@clinical-records/core';
import type { Client, Loaded } from './client.ts';

/** A goal that is staged. */
export type StagedGoal = Omit<ChartCommand, 'command'> & { readonly command: BeginGoalCommand };

/** Stages a command: it has no effect until it is committed. */
export const stageCommand = (client: Client, body: object, retryKey: string): Promise<Loaded<StagedGoal>> =>
  client.create('commands', { body, retryKey });

/** Commits a staged command, if its resource has the version that was read. */
export const commitCommand = (
  client: Client,
  { resource: { id }, etag: ifMatch }: Loaded<Pick<ChartCommand, 'id'>>,
): Promise<Response> => client.write('POST', `commands/${id}/commit`, { body: {}, ifMatch });
