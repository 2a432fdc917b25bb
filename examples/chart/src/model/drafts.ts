import type { ChartCommand } from '@clinical-records/core';
import { formatDate, formatDay } from './dates/dates.ts';
import { achievements, priorities } from './goal-command.ts';
import { type Fact, factsOf } from './history/facts.ts';
import { conceptName } from './names.ts';
import { orderKinds } from './orders.ts';
import type { ChartType, Goal, ResourceVersion, ServiceRequest } from './resources.ts';

/** A command that is staged: all that a commit signs. */
export type Draft = Pick<ChartCommand, 'id' | 'resourceId' | 'version' | 'staged'> & {
  readonly resourceType: Exclude<ChartType, 'CareTeam'>;
  /** The goal, the service or the vaccine. */
  readonly title: string;
  /** The kind of command, such as `New goal`. */
  readonly label: string;
  readonly facts: readonly Fact[];
};

const labels: Readonly<Record<ChartCommand['kind'], string>> = {
  ...orderKinds,
  goal: 'New goal',
  updateGoal: 'Update of the goal',
  closeGoal: 'End of the goal',
  immunize: 'Given here',
  immunizationStatement: 'Given elsewhere',
};

/** A vaccine with a reason, or with that status, is one that was not given. */
const labelOfCommand = ({ command }: ChartCommand): string =>
  'statusReason' in command || ('status' in command && command.status === 'not-done')
    ? 'Not given'
    : labels[command.kind];

const titleOf = ({ command, resourceId }: ChartCommand, goals: readonly Goal[]): string => {
  switch (command.kind) {
    case 'goal':
      return command.description;
    case 'updateGoal':
    case 'closeGoal':
      return goals.find(({ id }) => id === resourceId)?.description.text ?? 'A goal';
    case 'immunize':
    case 'immunizationStatement':
      return conceptName(command.vaccineCode);
    default:
      return conceptName(command.code);
  }
};

const words: Readonly<Record<string, string>> = { ...priorities, ...achievements };

/** The words before the parts of a period. */
const wordOf: ReadonlyMap<string, string> = new Map([
  ['start', 'from'],
  ['end', 'until'],
]);

/** Any element of a command in words, so that nothing is signed that is not shown. */
const inWords = (value: unknown): string => {
  if (value === null) return 'none';
  if (Array.isArray(value)) return value.map(inWords).join(', ');
  if (typeof value === 'object') {
    if ('reference' in value) return String('display' in value ? value.display : value.reference);
    const parts = Object.entries(value).map(([name, part]) => [wordOf.get(name), inWords(part)]);
    return conceptName(value) || parts.flat().filter(Boolean).join(' ');
  }
  const text = String(value);
  return words[text] ?? (/^\d{4}(-\d\d){0,2}(T|$)/.test(text) ? formatDate(text) : text);
};

/** The names of elements in the words of the chart. Any other is its own, such as `Lot number` for `lotNumber`. */
const names: ReadonlyMap<string, string> = new Map([
  ['startDate', 'Start'],
  ['dueDate', 'Due'],
  ['achievementStatus', 'How it is going'],
  ['occurrencePeriod', 'When'],
  ['occurrenceDateTime', 'When'],
  ['requesterId', 'Requester'],
  ['encounter', 'Visit'],
  ['encounterId', 'Visit'],
  ['note', 'Remarks'],
]);

const labelOf = (name: string): string =>
  names.get(name) ??
  name
    .replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)
    .replace(/^./, (letter) => letter.toUpperCase());

/** The elements that the title, the time and the place of a draft say already. */
const told = [
  ...['kind', 'patientId', 'goalId', 'description', 'code', 'vaccineCode'],
  ...['authoredOn', 'noteId', 'status'],
];

const commandFacts = (command: object, order: ServiceRequest | undefined): readonly Fact[] =>
  Object.entries(command)
    .filter(([name, value]) => !told.includes(name) && value !== undefined)
    .map(([name, value]) => ({
      key: name,
      label: labelOf(name),
      value: (name === 'requesterId' && order?.requester?.display) || inWords(value),
    }));

/** All drafts of a chart. An order of another system that is a draft has no command that is listed. */
export const draftsOf = (
  staged: readonly ChartCommand[],
  goals: readonly Goal[],
  orders: readonly (ServiceRequest & ResourceVersion)[],
): readonly Draft[] => {
  const listed = new Set(staged.map(({ resourceId }) => resourceId));
  return [
    ...staged.map((command) => ({
      ...command,
      title: titleOf(command, goals),
      label: labelOfCommand(command),
      facts: commandFacts(
        command.command,
        orders.find(({ id }) => id === command.resourceId),
      ),
    })),
    ...orders
      .filter(({ id, status }) => status === 'draft' && !listed.has(id))
      .map((order) => ({
        ...{
          id: `ServiceRequest/${order.id}/0`,
          resourceType: 'ServiceRequest' as const,
          resourceId: order.id,
        },
        ...{ version: Number(order.meta?.versionId), staged: { at: order.authoredOn } },
        ...{ title: conceptName(order.code), label: 'Order', facts: factsOf(order).slice(2) },
      })),
  ];
};

/** A sentence with the author of a draft, its software and its day. */
export const stagedBy = ({ staged: { at, by, byDisplay, agent } }: Draft): string => {
  const user = byDisplay ?? by;
  const day = formatDay(at);
  if (agent !== undefined)
    return `Proposed by ${agent.display ?? agent.reference} for ${user ?? 'somebody'} on ${day}.`;
  return user === undefined ? `Staged on ${day}.` : `Staged by ${user} on ${day}.`;
};
