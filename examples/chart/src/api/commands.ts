import type { BeginGoalCommand, ChartCommand } from '@clinical-records/core';
import type { ValidationOutcome } from '../model/outcome.ts';
import type { ChartType } from '../model/resources.ts';
import { type Client, RequestError } from './client.ts';

export type StagedGoal = Omit<ChartCommand, 'command'> & { readonly command: BeginGoalCommand };

/** Why a command ends, in the words of the user; empty if nothing is to be said. */
type Reason = { readonly reason: string };

const etagOf = (version: number | string): string => `W/"${version}"`;

/** Stages a command: it has no effect until it is committed. */
export const stageCommand = (client: Client, body: object, retryKey: string): Promise<Response> =>
  client.write('POST', 'commands', { body, retryKey });

/** Stages a command and commits it at once, if a goal that it changes has the version that was read. Returns the id of its resource. */
export const recordCommand = async (
  client: Client,
  body: object,
  { retryKey, version }: { readonly retryKey: string; readonly version?: string },
): Promise<string> => {
  const condition = version !== undefined && { ifMatch: etagOf(version) };
  const sent = { body: { ...body, commit: true }, retryKey, ...condition };
  return (await client.create<ChartCommand>('commands', sent)).resource.resourceId;
};

/** Asks what `recordCommand` would be refused for, or be warned of. */
export const validateRecord = (client: Client, body: object): Promise<ValidationOutcome> =>
  client.validate('commands', { ...body, commit: true });

/** Asks what `commitCommand` would be refused for, or be warned of. */
export const validateCommit = (
  client: Client,
  { id }: Pick<ChartCommand, 'id'>,
): Promise<ValidationOutcome> => client.validate(`commands/${id}/commit`, {});

/** Commits a staged command, if its resource has the version that was read. */
export const commitCommand = (
  client: Client,
  { id, version }: Pick<ChartCommand, 'id' | 'version'>,
): Promise<Response> => client.write('POST', `commands/${id}/commit`, { body: {}, ifMatch: etagOf(version) });

/** Discards a staged command. It stays in the history, and is in no list. */
export const discardCommand = (
  client: Client,
  { id, version }: Pick<ChartCommand, 'id' | 'version'>,
  { reason }: Reason,
): Promise<Response> =>
  client.write('POST', `commands/${id}/discard`, {
    body: reason === '' ? {} : { reason },
    ifMatch: etagOf(version),
  });

/** Enters the command behind an order or a dose, or the first one of a goal, in error, if it has the version that was read. */
export const enterInError = (
  client: Client,
  { type, id, version }: { readonly type: ChartType; readonly id: string; readonly version: string },
  { reason }: Reason,
): Promise<Response> =>
  client.write('POST', `commands/${type}/${encodeURIComponent(id)}/0/enter-in-error`, {
    body: { reason },
    ifMatch: etagOf(version),
  });

/** Completes an order, if it has the version that was read. */
export const completeOrder = (client: Client, id: string, version: string): Promise<Response> =>
  client.write('POST', `commands/ServiceRequest/${encodeURIComponent(id)}/0/complete`, {
    body: {},
    ifMatch: etagOf(version),
  });

type CommandPage = { readonly total: number; readonly commands?: readonly ChartCommand[] };

/** The commands that are staged, page after page; none if the server has no commands, or the user may not see them. */
export const searchStaged = async (
  client: Client,
  parameters: Readonly<Record<string, string>>,
): Promise<readonly ChartCommand[]> => {
  const found: ChartCommand[] = [];
  try {
    for (;;) {
      const page = { _count: '100', _offset: String(found.length) };
      const query = new URLSearchParams({ ...parameters, status: 'staged', ...page });
      const { resource } = await client.read<CommandPage>(`commands?${query}`);
      const { total, commands = [] } = resource;
      found.push(...commands);
      if (commands.length === 0 || found.length >= total) return found;
    }
  } catch (cause) {
    if (cause instanceof RequestError && [403, 404].includes(cause.status)) return [];
    throw cause;
  }
};

export const isStagedGoal = (command: ChartCommand): command is StagedGoal => command.command.kind === 'goal';
