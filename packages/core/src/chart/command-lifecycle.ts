import * as E from 'fp-ts/lib/Either.js';
import type { Issue } from '../errors.ts';
import { type ChartRecord, type CommandState, type StepAuthorship, statusOf } from './command.ts';
import { chartIssue } from './issues.ts';

/** A step of a command. A staged command is committed, and an order then completed. Each can be entered in error. */
export type CommandStep = 'commit' | 'complete' | 'enterInError';

const replaceCommand = <Body>(
  record: ChartRecord<Body>,
  index: number,
  command: CommandState<Body>,
): ChartRecord<Body> => ({
  ...record,
  commands: record.commands.with(index, command),
});

/** The record after a step of one of its commands. The status entered-in-error is final; entering it again changes nothing. */
export const applyStep = <Body>(
  record: ChartRecord<Body>,
  {
    index,
    step,
    authorship,
  }: { readonly index: number; readonly step: CommandStep; readonly authorship: StepAuthorship },
): E.Either<Issue, ChartRecord<Body>> => {
  const command = record.commands[index] as CommandState<Body>;
  const status = statusOf(command);
  switch (step) {
    case 'commit': {
      if (status !== 'staged') return E.left(chartIssue('not-staged'));
      const order = record.commands.filter(({ committed }) => committed != null).length;
      return E.right(replaceCommand(record, index, { ...command, committed: { ...authorship, order } }));
    }
    case 'complete':
      if (status !== 'committed') return E.left(chartIssue('not-active'));
      return E.right(replaceCommand(record, index, { ...command, completed: authorship }));
    case 'enterInError':
      if (status === 'entered-in-error') return E.right(record);
      return E.right(replaceCommand(record, index, { ...command, enteredInError: authorship }));
  }
};

type CommittedCommand<Body> = CommandState<Body> & Required<Pick<CommandState<Body>, 'committed'>>;

/** The committed commands of a record that are not entered in error, in the order of their commits. */
export const committedCommands = <Body>(record: ChartRecord<Body>): readonly CommittedCommand<Body>[] =>
  record.commands
    .filter(
      (command): command is CommittedCommand<Body> =>
        command.committed != null && command.enteredInError == null,
    )
    .sort(
      (one, other) => one.committed.at - other.committed.at || one.committed.order - other.committed.order,
    );
