import { isOneOf } from '../fhir/is-one-of.ts';
import { type AuthorReference, createSignedReference, readReferenceId } from '../fhir/reference.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { Authorship } from '../records/record-change.ts';

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

/** The reference that a resource shows for the practitioner who took a step; undefined if nobody was named. */
export const referToAuthor = ({ by, byDisplay }: StepAuthor) =>
  by === null
    ? undefined
    : createSignedReference('Practitioner', readReferenceId({ reference: by }), byDisplay);

/** The time and the author of a step. */
export type StepAuthorship = Authorship & StepAuthor;

/** The commit of a command. */
export type CommittedStep = StepAuthorship & {
  /** How many commands of the record were committed before it. It decides between equal times. */
  readonly order: number;
};

/**
 * A command in the chart, and its steps so far. A step that is absent, or null in the stored state, has not happened. Only a
 * later step reverses an earlier one.
 */
export type CommandState<Body> = {
  /** The content of the command. */
  readonly body: Body;
  /** When it was staged, in milliseconds since 1970 in UTC. */
  readonly stagedAt: number;
  /** When it was committed, and by whom. */
  readonly committed?: CommittedStep;
  /** Only for an order: when it was carried out, and by whom. */
  readonly completed?: StepAuthorship;
  /** When it was entered in error, and by whom. */
  readonly enteredInError?: StepAuthorship;
};

/** The commands that one resource derives from, in the order in which they were staged. */
export type ChartRecord<Body> = {
  readonly id: string;
  readonly patientId: string;
  /** The commands, in the order in which they were staged. */
  readonly commands: readonly CommandState<Body>[];
};

/** The state of a command. Only an order is ever `completed`. */
export type CommandStatus = 'staged' | 'committed' | 'completed' | 'entered-in-error';

export const statusOf = (command: CommandState<unknown>): CommandStatus => {
  if (command.enteredInError != null) return 'entered-in-error';
  if (command.completed != null) return 'completed';
  return command.committed == null ? 'staged' : 'committed';
};

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
    readonly status: CommandStatus;
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

const isChartResourceType = isOneOf(chartResourceTypes);

export const parseCommandId = (text: string): CommandRef | null => {
  const [, type, id = '', index] = /^([^/]+)\/([^/]+)\/(0|[1-9]\d*)$/.exec(text) ?? [];
  return isChartResourceType(type) ? { type, id, index: Number(index) } : null;
};
