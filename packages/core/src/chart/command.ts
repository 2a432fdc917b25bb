import * as E from 'fp-ts/lib/Either.js';
import * as z from 'zod';
import { type ClinicalError, createIssueFactory, forbidden, type Issue } from '../errors.ts';
import type { CommonElements } from '../fhir/common-elements.ts';
import { text } from '../fhir/element.ts';
import {
  type Agent,
  type AuthorReference,
  createSignedReference,
  readReferenceId,
} from '../fhir/reference.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { isObject, isOneOf, named, type SchemaOutput } from '../fhir/schema.ts';
import type { SentResource } from '../fhir/source-resource.ts';
import type { Authorship, ImportMark } from '../records/transact.ts';

export const chartIssues = {
  'command-kind': 'There is no such kind of command.',
  'command-id':
    'Must be the id of a command, such as ServiceRequest/7/0: the `id` that stage, record or commandsOf returned, not its `resourceId`.',
  'resource-id': 'Must be the id of a resource, such as 7: the `resourceId` of a command, not its `id`.',
  'command-resource': 'Only a ServiceRequest, a Goal and an Immunization derive from commands.',
  'command-exists': 'A record with this id already exists.',
  'chosen-id': 'The caller may not choose an id: the records make one.',
  'record-full': 'The record would have more than 500 commands, or more than 512 KiB.',
  'too-many-staged': 'The goal would have more than 20 staged commands, or more than 128 KiB of them.',
  'by-required':
    '`by` is required: a reference to the practitioner making the change, such as Practitioner/12.',
  'not-staged': 'Only a staged command can be committed.',
  'not-discardable': 'Only a staged command can be discarded. Enter in error what is committed.',
  'not-committed': 'Only what is committed can be entered in error. Discard what is only staged.',
  'not-active':
    'Only an order that is committed, and neither completed nor entered in error, can be completed.',
  'not-completed': 'Only a completed order can be reopened.',
  'not-an-order': 'Only an imaging order, a lab order or a referral can be completed and reopened.',
  'practitioner-only': 'Only a practitioner who is known here can do this.',
} as const;

export type ChartRule = keyof typeof chartIssues;

export const chartIssue = createIssueFactory(chartIssues);

/** The error of a request whose sender is not a practitioner who is known here. */
export const practitionerOnlyError: ClinicalError = forbidden(chartIssue('practitioner-only'));

/** The types whose resources derive from commands. */
export const chartResourceTypes = [
  'ServiceRequest',
  'Goal',
  'Immunization',
] as const satisfies readonly ResourceType[];

/** The resources that commands make. @useDeclaredType */
export type ChartResourceType = (typeof chartResourceTypes)[number];

/** The author of a step. */
export type StepAuthor = {
  /** The author; null if nobody was named. */
  readonly by: AuthorReference | null;
  /** The name at that time, where it is known. */
  readonly byDisplay?: string | undefined;
};

/** The author of a staged command, and the software that staged it for the author. */
export type StagingAuthor = StepAuthor & {
  readonly agent?: Agent | undefined;
};

/** The staging of a command by an agent. */
type AgentStaging = StagingAuthor & {
  /** The version of the record that it wrote, which its Provenance is about; absent without an agent. */
  readonly version?: number | undefined;
};

/** The reference that a resource shows for the practitioner who took a step; undefined if nobody was named. */
export const referToAuthor = ({ by, byDisplay }: StepAuthor) =>
  by === null && byDisplay === undefined
    ? undefined
    : createSignedReference(
        'Practitioner',
        by === null ? undefined : readReferenceId({ reference: by }),
        byDisplay,
      );

/** The time and the author of a step. */
export type StepAuthorship = Authorship & StepAuthor;

/** The end of a command, and why. */
export type EndStep = StepAuthorship & {
  /** Why it was discarded or entered in error, if that was said. */
  readonly reason?: string | undefined;
  /** The version of the record that the step wrote; absent of an import. Versions can have the same time. */
  readonly version?: number | undefined;
};

/** The commit of a command. */
export type CommittedStep = StepAuthorship & {
  /** How many commands of the record were committed before it. It decides between equal times. */
  readonly order: number;
  /** The version of the record that it wrote, if an agent had staged the command. */
  readonly version?: number | undefined;
};

/**
 * A command in the chart, and its steps so far. A step that is absent, or null in the stored state, has not happened. Only a
 * later step reverses an earlier one.
 */
export type CommandState<Body> = {
  readonly body: Body;
  /** When it was staged, in milliseconds since 1970 in UTC. */
  readonly stagedAt: number;
  /** The person or device that staged it, if it was named. */
  readonly stagedBy?: AgentStaging | undefined;
  /** When it was committed, and by whom. */
  readonly committed?: CommittedStep;
  /** Only for an order: when it was carried out, and by whom. */
  readonly completed?: StepAuthorship;
  /** Only for a completed order: when its completion was taken back, and by whom. Completing it again removes this. */
  readonly reopened?: StepAuthorship;
  /** When it was discarded while it was staged, by whom, and why. */
  readonly discarded?: EndStep;
  /** When it was entered in error, by whom, and why. */
  readonly enteredInError?: EndStep;
};

/** The commands that one resource derives from, in the order in which they were staged. */
export type ChartRecord<Body> = {
  readonly id: string;
  readonly patientId: string;
  /** The elements that resources of every type have, if there are any. */
  readonly common?: CommonElements | undefined;
  /** Set if an import has written it. */
  readonly imported?: ImportMark | undefined;
  /** The commands, in the order in which they were staged. */
  readonly commands: readonly CommandState<Body>[];
};

export const commandStatuses = ['staged', 'committed', 'completed', 'discarded', 'entered-in-error'] as const;

/** The state of a command. Only an order is ever `completed`. @useDeclaredType */
export type CommandStatus = (typeof commandStatuses)[number];

export const statusOf = (command: CommandState<unknown>): CommandStatus => {
  if (command.enteredInError != null) return 'entered-in-error';
  if (command.discarded != null) return 'discarded';
  if (command.completed != null && command.reopened == null) return 'completed';
  return command.committed == null ? 'staged' : 'committed';
};

/** Whether an agent has staged a command. */
const isProposal = ({ stagedBy }: CommandState<unknown>): boolean => stagedBy?.agent !== undefined;

/** Whether a command was discarded or entered in error. */
export const hasEnded = ({ discarded, enteredInError }: Partial<CommandState<unknown>> = {}): boolean =>
  discarded != null || enteredInError != null;

/**
 * Makes the command of an imported resource. It is staged when it is imported, and committed then, too, unless `committed` says
 * otherwise. `order` is the number of committed commands before it in its record.
 */
export const createImportedCommand = <Body>(
  body: Body,
  {
    importedAt,
    status,
    committed = { at: importedAt, by: null },
    order = 0,
  }: {
    readonly importedAt: number;
    readonly status: Exclude<CommandStatus, 'discarded'>;
    readonly committed?: StepAuthorship;
    readonly order?: number;
  },
): CommandState<Body> => ({
  body,
  stagedAt: importedAt,
  ...(status !== 'staged' && { committed: { ...committed, order } }),
  ...(status === 'completed' && { completed: { at: importedAt, by: null } }),
  ...(status === 'entered-in-error' && { enteredInError: { at: importedAt, by: null } }),
});

/** Identifies a command by its record and by its index in that record. */
export type CommandRef = {
  readonly type: ChartResourceType;
  readonly id: string;
  readonly index: number;
};

export const commandId = ({ type, id, index }: CommandRef): string => `${type}/${id}/${index}`;

export const isChartResourceType = isOneOf(chartResourceTypes);

export const parseCommandId = (text: string): CommandRef | null => {
  const [, type, id = '', index] = /^([^/]+)\/([^/]+)\/(0|[1-9]\d*)$/.exec(text) ?? [];
  return isChartResourceType(type) ? { type, id, index: Number(index) } : null;
};

/**
 * A step of a command. A staged command is committed or discarded. A committed order is completed, and a completed one
 * reopened. A command that was committed can be entered in error.
 */
export type CommandStep = 'commit' | 'complete' | 'reopen' | 'discard' | 'enterInError';

const replaceCommand = <Body>(
  record: ChartRecord<Body>,
  index: number,
  command: CommandState<Body>,
): ChartRecord<Body> => ({
  ...record,
  commands: record.commands.with(index, command),
});

/**
 * The record after a step of one of its commands. The statuses discarded and entered-in-error are final; discarding it again, or
 * entering it in error again, changes nothing.
 */
export const applyStep = <Body>(
  record: ChartRecord<Body>,
  {
    index,
    step,
    authorship,
    ...end
  }: {
    readonly index: number;
    readonly step: CommandStep;
    readonly authorship: StepAuthorship;
  } & Pick<EndStep, 'reason' | 'version'>,
): E.Either<Issue<ChartRule>, ChartRecord<Body>> => {
  const command = record.commands[index] as CommandState<Body>;
  const status = statusOf(command);
  switch (step) {
    case 'commit': {
      if (status !== 'staged') return E.left(chartIssue('not-staged'));
      const order = record.commands.filter(({ committed }) => committed != null).length;
      const { version } = end;
      const committed = { ...authorship, order, ...(isProposal(command) && { version }) };
      return E.right(replaceCommand(record, index, { ...command, committed }));
    }
    case 'complete': {
      if (status !== 'committed') return E.left(chartIssue('not-active'));
      const { reopened: _, ...active } = command;
      return E.right(replaceCommand(record, index, { ...active, completed: authorship }));
    }
    case 'reopen':
      if (status !== 'completed') return E.left(chartIssue('not-completed'));
      return E.right(replaceCommand(record, index, { ...command, reopened: authorship }));
    case 'discard':
      if (status === 'discarded') return E.right(record);
      if (status !== 'staged') return E.left(chartIssue('not-discardable'));
      return E.right(replaceCommand(record, index, { ...command, discarded: { ...authorship, ...end } }));
    case 'enterInError':
      if (status === 'entered-in-error') return E.right(record);
      if (command.committed == null) return E.left(chartIssue('not-committed'));
      return E.right(
        replaceCommand(record, index, { ...command, enteredInError: { ...authorship, ...end } }),
      );
  }
};

/** The extension of a status that says why a resource has it: `entered-in-error`, in words. */
const statusReasonUrl = (extensionBase: string): `${string}/status-reason` =>
  `${extensionBase}/status-reason`;

const statusReasonSchema = (extensionBase: string) =>
  z.object({
    /** The `extensionBase` of the host, and `/status-reason`. */
    url: z.literal(statusReasonUrl(extensionBase)),
    /** The reason, in words. */
    valueString: z.string(),
  });

/** The extension of a status that says why a resource has it. */
export interface StatusReasonExtension extends SchemaOutput<ReturnType<typeof statusReasonSchema>> {}

const statusExtensionsSchema = (extensionBase: string) =>
  z.object({
    /** The reason for the status. */
    extension: z.array(named<StatusReasonExtension>(statusReasonSchema(extensionBase))),
  });

/** The extensions of a status. */
export interface StatusExtensions extends SchemaOutput<ReturnType<typeof statusExtensionsSchema>> {}

/** The schema of the extensions of a status: absent unless the resource was discarded or entered in error for a reason. */
export const statusExtensions = (extensionBase: string) =>
  named<StatusExtensions>(statusExtensionsSchema(extensionBase))
    .exactOptional()
    .describe('Why it was entered in error; absent if that was not said.');

/** Why the command that made a resource was discarded or entered in error; undefined if that was not said. */
export const deriveStatusReason = (
  extensionBase: string,
  { discarded, enteredInError }: CommandState<unknown>,
) => {
  const { reason } = enteredInError ?? discarded ?? {};
  return reason === undefined
    ? undefined
    : { extension: [{ url: statusReasonUrl(extensionBase), valueString: reason }] };
};

/** An imported record with the reason for which its resource says that it was entered in error. */
export const addSourceReason = <Body>(
  extensionBase: string,
  record: ChartRecord<Body>,
  { _status, _lifecycleStatus = _status }: SentResource,
): ChartRecord<Body> => {
  const { extension } = isObject(_lifecycleStatus) ? _lifecycleStatus : {};
  const schema = statusReasonSchema(extensionBase).extend({ valueString: text });
  const reason = [extension].flat().flatMap((sent) => schema.safeParse(sent).data ?? [])[0]?.valueString;
  if (reason === undefined) return record;
  const commands = record.commands.map((command) => {
    const { enteredInError } = command;
    return enteredInError == null ? command : { ...command, enteredInError: { ...enteredInError, reason } };
  });
  return { ...record, commands };
};

type CommittedCommand<Body> = CommandState<Body> & Required<Pick<CommandState<Body>, 'committed'>>;

/** The committed commands of a record that are not entered in error, in the order of their commits. */
export const committedCommands = <Body>(record: ChartRecord<Body>): readonly CommittedCommand<Body>[] =>
  record.commands
    .filter(
      (command): command is CommittedCommand<Body> =>
        command.committed != null && command.enteredInError == null,
    )
    .sort((a, b) => a.committed.at - b.committed.at || a.committed.order - b.committed.order);
