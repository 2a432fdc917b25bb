import * as E from 'fp-ts/lib/Either.js';
import type { Fault } from '../errors.ts';
import type { Act } from '../records/change.ts';
import { type ChartRecord, type Command, statusOf } from './command.ts';
import { chartFault } from './faults.ts';

/** A step in the life of a command: staged, then committed, an order then completed; any of them entered in error. */
export type Step = 'commit' | 'complete' | 'enterInError';

const replaced = <Body>(
  record: ChartRecord<Body>,
  index: number,
  command: Command<Body>,
): ChartRecord<Body> => ({
  ...record,
  commands: record.commands.with(index, command),
});

/** The record after a step of one of its commands. Nothing leaves entered-in-error, and entering it again is no step. */
export const afterStep = <Body>(
  record: ChartRecord<Body>,
  { index, step, act }: { readonly index: number; readonly step: Step; readonly act: Act },
): E.Either<Fault, ChartRecord<Body>> => {
  const command = record.commands[index] as Command<Body>;
  const status = statusOf(command);
  switch (step) {
    case 'commit': {
      if (status !== 'staged') return E.left(chartFault('not-staged'));
      const order = record.commands.filter(({ committed }) => committed != null).length;
      return E.right(replaced(record, index, { ...command, committed: { ...act, order } }));
    }
    case 'complete':
      if (status !== 'committed') return E.left(chartFault('not-active'));
      return E.right(replaced(record, index, { ...command, completed: act }));
    case 'enterInError':
      if (status === 'entered-in-error') return E.right(record);
      return E.right(replaced(record, index, { ...command, enteredInError: act }));
  }
};

type Committed<Body> = Command<Body> & Required<Pick<Command<Body>, 'committed'>>;

/** The committed commands of a record that are not entered in error, in the order of their commits. */
export const committedCommands = <Body>(record: ChartRecord<Body>): readonly Committed<Body>[] =>
  record.commands
    .filter(
      (command): command is Committed<Body> => command.committed != null && command.enteredInError == null,
    )
    .sort(
      (one, other) => one.committed.at - other.committed.at || one.committed.order - other.committed.order,
    );
