import type { Issue } from '../errors.ts';
import { bytesOf } from '../store/matches.ts';
import { type ChartRecord, type CommandState, chartIssue, statusOf } from './command.ts';

/** The bounds of a record of commands, because each version holds all of them. Source: docs/limits.md. */
const maxCommands = 500;
const maxBytes = 512 * 1024;

/** A short command that closes a resource fits into a record that is full, so that it can be closed, and closed again once reopened. */
const maxClosings = 100;
const maxClosingBytes = 4 * 1024;

/** Anybody may stage a command for a resource of others. These have bounds of their own, so that they do not fill its record. */
const maxStaged = 20;
const maxStagedBytes = 128 * 1024;

const sizeOf = (part: unknown): number => bytesOf(JSON.stringify(part));

/** By how much commands exceed what a record can hold; zero or less if they fit. `common` are its elements beside them. */
export const excessOf = ({
  common,
  commands,
}: Pick<ChartRecord<unknown>, 'common' | 'commands'>): {
  readonly commands: number;
  readonly bytes: number;
} => ({
  commands: commands.length - maxCommands,
  bytes: sizeOf([common, commands]) - maxBytes,
});

export const recordFullIssue = chartIssue('record-full');

/** Returns the issue of a record to which a command was added, its last one; null if it fits. */
export const checkBounds = <Body>(
  record: ChartRecord<Body>,
  closes: (body: Body) => boolean,
): Issue | null => {
  const added = record.commands.at(-1) as CommandState<Body>;
  const isStaged = (command: CommandState<Body>) => statusOf(command) === 'staged';
  const excess = excessOf(record);
  if (!isStaged(added) && closes(added.body) && sizeOf(added) <= maxClosingBytes) {
    return excess.commands > maxClosings ? recordFullIssue : null;
  }
  if (excess.commands > 0 || excess.bytes > 0) return recordFullIssue;
  if (!isStaged(added)) return null;
  const staged = record.commands.slice(1).filter(isStaged);
  return staged.length > maxStaged || sizeOf(staged) > maxStagedBytes ? chartIssue('too-many-staged') : null;
};
