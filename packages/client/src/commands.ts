import type {
  ChartCommand,
  ChartCommandInput,
  CommandSearch,
  ParticipantStatus,
} from '@clinical-records/core';
import type { OutcomeIssue } from './errors.ts';
import { inLargePages, readAll } from './pages.ts';
import { type CallOptions, readAt, type Send } from './send.ts';
import { type KeyOptions, pathOf, type VersionOptions, validate, write } from './writes.ts';

/** The options of the end of a command. */
export type EndOptions = KeyOptions &
  VersionOptions & {
    /** Why it ends, for its history. */
    readonly reason?: string | undefined;
  };

/** The member of a team, and the status that it gets. */
export type MemberStatus = {
  /** A practitioner or an organization, such as `Practitioner/12`. */
  readonly member: string;
  readonly status: ParticipantStatus;
};

/** Commands of charts. Source: docs/http-interface.md#chart-commands. */
export type Commands = {
  /** Puts a command into a chart without an effect, until somebody commits it. */
  readonly stage: (
    command: ChartCommandInput,
    options?: KeyOptions & VersionOptions,
  ) => Promise<ChartCommand>;
  /** Stages a command and commits it at once. */
  readonly record: (
    command: ChartCommandInput,
    options?: KeyOptions & VersionOptions,
  ) => Promise<ChartCommand>;
  /** Puts a staged command into effect. An id is that of a command, such as `Goal/7f3/0`. */
  readonly commit: (id: string, options?: KeyOptions & VersionOptions) => Promise<ChartCommand>;
  /** Says that an order was carried out. */
  readonly complete: (id: string, options?: KeyOptions & VersionOptions) => Promise<ChartCommand>;
  /** Takes back that an order was carried out. */
  readonly reopen: (id: string, options?: KeyOptions & VersionOptions) => Promise<ChartCommand>;
  /** Ends a staged command that is not to be committed. */
  readonly discard: (id: string, options?: EndOptions) => Promise<ChartCommand>;
  /** Marks a committed command as entered in error. */
  readonly enterInError: (id: string, options?: EndOptions) => Promise<ChartCommand>;
  /** The issues that the server would have with `record`, and its warnings. Nothing is written. */
  readonly validateRecord: (
    command: ChartCommandInput,
    options?: CallOptions,
  ) => Promise<readonly OutcomeIssue[]>;
  /** The same of `commit`. */
  readonly validateCommit: (id: string, options?: CallOptions) => Promise<readonly OutcomeIssue[]>;
  /** The command with an id. */
  readonly read: (id: string, options?: CallOptions) => Promise<ChartCommand>;
  /** The commands that a search finds, page after page, the oldest first. */
  readonly search: (parameters: CommandSearch, options?: CallOptions) => AsyncGenerator<ChartCommand, void>;
  /** Gives a member of a patient's team a status. It is sent once: after a `ConnectionError`, read the team. */
  readonly setParticipantStatus: (
    patientId: string,
    member: MemberStatus,
    options?: Omit<EndOptions, 'key'>,
  ) => Promise<void>;
};

export const createCommands = (send: Send): Commands => {
  const post = <Written = ChartCommand>(
    path: string,
    body: object,
    options: KeyOptions & VersionOptions = {},
  ): Promise<Written> => write<Written>(send, { method: 'POST', path, body }, options);

  const end =
    (step: string) =>
    (id: string, { reason, ...options }: EndOptions = {}): Promise<ChartCommand> =>
      post(`commands/${id}/${step}`, reason === undefined ? {} : { reason }, options);

  return {
    stage: (command, options) => post('commands', command, options),
    record: (command, options) => post('commands', { ...command, commit: true }, options),
    commit: end('commit'),
    complete: end('complete'),
    reopen: end('reopen'),
    discard: end('discard'),
    enterInError: end('enter-in-error'),
    validateRecord: (command, options) =>
      validate(send, { path: 'commands', body: { ...command, commit: true } }, options),
    validateCommit: (id, options) => validate(send, { path: `commands/${id}/commit`, body: {} }, options),
    read: (id, options) => readAt(send, `commands/${id}`, options),
    search: (parameters, { signal } = {}) =>
      readAll(send, { path: 'commands', parameters: inLargePages(parameters), signal }),
    setParticipantStatus: async (patientId, member, { reason, ...options } = {}) => {
      const body = { ...member, ...(reason !== undefined && { reason }) };
      await write(
        send,
        { method: 'POST', path: `commands/${pathOf('CareTeam', patientId)}`, body, isWithoutKey: true },
        options,
      );
    },
  };
};
