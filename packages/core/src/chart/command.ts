import { isOneOf } from '../fhir/is-one-of.ts';
import { resourceTypes } from '../fhir/resource-type.ts';
import type { Authorship } from '../records/record-change.ts';

const chartResourceTypes = resourceTypes.filter((type) => type !== 'CareTeam');

/** The resources that commands make. @useDeclaredType */
export type ChartResourceType = (typeof chartResourceTypes)[number];

/** The practitioner who takes a step: the id, and the name at that time, where it is known. */
export type StepAuthor = { readonly by: string | null; readonly byDisplay?: string | undefined };

/** A step that was taken: when, and by whom. */
export type TakenStep = Authorship & StepAuthor;

/**
 * A command in the chart, and what has become of it so far: an act that is absent, or null in what is stored, has not
 * happened. Nothing in it is ever undone but by a later act.
 */
export type Command<Body> = {
  readonly body: Body;
  readonly stagedAt: number;
  /** `order`: how many commands of the record were committed before it; it decides between equal times. */
  readonly committed?: TakenStep & { readonly order: number };
  /** Only of an order: that it was carried out. */
  readonly completed?: TakenStep;
  readonly enteredInError?: TakenStep;
};

/** The commands that one resource derives from, in the order in which they were staged. */
export type ChartRecord<Body> = {
  readonly id: string;
  readonly patientId: string;
  readonly commands: readonly Command<Body>[];
};

/** The state of a command. Only an order is ever `completed`. */
export type CommandStatus = 'staged' | 'committed' | 'completed' | 'entered-in-error';

export const statusOf = (command: Command<unknown>): CommandStatus => {
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
    readonly committed?: TakenStep;
    readonly order?: number;
  },
): Command<Body> => ({
  body,
  stagedAt: importedAt,
  ...(status !== 'staged' && { committed: { ...committed, order } }),
  ...(status === 'completed' && { completed: { at: importedAt, by: null } }),
  ...(status === 'entered-in-error' && { enteredInError: { at: importedAt, by: null } }),
});

/** A command is known by its record and by its place among the commands of that record. */
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
