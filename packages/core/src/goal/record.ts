import { committedCommands, deriveStatusReason, referToAuthor } from '../chart/command.ts';
import { defineChartRecord } from '../chart/command-records.ts';
import type { Environment } from '../environment.ts';
import { usCoreProfile } from '../fhir/bundle.ts';
import { formatInstant } from '../fhir/date-time.ts';
import { createReference, subjectReferences } from '../fhir/reference.ts';
import type { ResourceFacts } from '../records/definition.ts';
import { withFieldParameters } from '../search/field-parameters.ts';
import { commonParameters, type StoredParameterTable } from '../search/index-entries.ts';
import type { StoredSearchInput } from '../search/search-input.ts';
import type { GoalMeasure, GoalTarget } from './elements.ts';
import { toFurtherTarget } from './further-targets.ts';
import {
  type AchievementStatus,
  achievementStatuses,
  type CodeSystem,
  type Goal,
  type GoalCommandBody,
  type GoalFields,
  type GoalRecord,
  type GoalStatusFacts,
  goalStatuses,
  nearestStatuses,
  priorities,
  sourceStatusUrl,
} from './model.ts';

/** Source: docs/http-interface.md#goal. */
export const goalParameters = {
  /** The id of the resource. */
  _id: { kind: 'id' },
  /** When the last version was written, as `meta.lastUpdated` says: a time, with a prefix such as `ge` or without. */
  _lastUpdated: { kind: 'lastUpdated' },
  /** The patient: `Patient/<id>`, or the id. */
  patient: { kind: 'patient' },
  /** The same as `patient`. */
  subject: { kind: 'patient' },
  /** The state of the goal. */
  'lifecycle-status': {
    kind: 'token',
    at: 'lifecycleStatus',
    system: 'http://hl7.org/fhir/goal-status',
    codes: goalStatuses,
    unusedCodes: Object.keys(nearestStatuses),
  },
  /** The due date: a date, with a prefix such as `ge` or without. */
  'target-date': { kind: 'date', at: 'target.dueDate' },
  /** The goal in words, from the first to the last, as they are written, or one of its codes. */
  description: { kind: 'token', at: ['description', 'description.text'] },
  /** When pursuit of the goal begins: a date, with a prefix such as `ge` or without. */
  'start-date': { kind: 'date', isSingle: true, at: 'startDate' },
  /** The progress of the goal. */
  'achievement-status': {
    kind: 'token',
    at: 'achievementStatus',
    codes: Object.keys(achievementStatuses.displays) as AchievementStatus[],
  },
  ...commonParameters(usCoreProfile('Goal')),
} as const satisfies StoredParameterTable<Goal>;

/** The search parameters of goals. Source: docs/http-interface.md#goal. */
export interface GoalSearch extends StoredSearchInput<typeof goalParameters> {}

export const goalFacts: ResourceFacts<'Goal', Goal> = {
  type: 'Goal',
  initial: 'G',
  profile: usCoreProfile('Goal'),
  inError: 'lifecycleStatus',
  // FHIR R4, Goal, gol-1: a value to reach is one of a measure.
  conforms: ({ target = [] }) =>
    target.every(
      ({ measure, ...rest }) =>
        measure !== undefined || !Object.keys(rest).some((name) => name.startsWith('detail')),
    ),
  parameters: goalParameters,
  references: subjectReferences,
  elements: {
    mandatory: ['lifecycleStatus', 'description', 'subject'],
    summary: ['achievementStatus', 'category', 'priority', 'start[x]', 'statusDate', 'expressedBy'],
  },
};

/** The command that made the goal: the first of its record. */
export const goalCommandOf = (record: GoalRecord) => record.commands[0];

/** Whether a goal was discarded before it was ever committed. */
export const isDiscarded = (record: GoalRecord): boolean => goalCommandOf(record)?.discarded != null;

/**
 * The status of a goal: null until its goal command is committed, `entered-in-error` if that command is. It is `completed`
 * while a committed close command is not entered in error, and otherwise `active`. Source: docs/http-interface.md#goal.
 */
export const deriveLifecycleStatus = (record: GoalRecord): Goal['lifecycleStatus'] | null => {
  const goal = goalCommandOf(record);
  if (goal?.committed == null) return null;
  if (goal.enteredInError != null) return 'entered-in-error';
  return committedCommands(record).some(({ body }) => body.kind === 'closeGoal') ? 'completed' : 'active';
};

const toConcept = <Code extends string, System extends string>(
  { system, displays }: CodeSystem<Code, System>,
  code: Code,
) => ({
  coding: [{ system, code, display: displays[code] }],
});

/** The facts about the status of a goal: those of the last command that gave it the status. */
const statusFactsOf = (
  lifecycle: Goal['lifecycleStatus'],
  goal: GoalStatusFacts,
  commands: readonly { readonly body: GoalCommandBody }[],
): GoalStatusFacts => {
  if (lifecycle !== 'completed') return goal;
  const closing = commands.findLast(({ body }) => body.kind === 'closeGoal');
  return closing?.body.kind === 'closeGoal' ? closing.body : {};
};

/** A target, if it says anything. A due date that was stated or cleared takes the place of a duration. */
const deriveTarget = (
  { dueDuration, ...measure }: GoalMeasure,
  dueDate: GoalFields['dueDate'],
): GoalTarget | null => {
  const due = dueDate === undefined ? { dueDuration } : { dueDate: dueDate ?? undefined };
  const target = { ...measure, ...due };
  return Object.values(target).some((part) => part !== undefined) ? target : null;
};

/** The goal that derives from the committed commands; null before the first. Source: docs/http-interface.md#goal. */
export const deriveGoal =
  (extensionBase: string) =>
  (record: GoalRecord): Goal | null => {
    const lifecycle = deriveLifecycleStatus(record);
    const [goal, ...later] = record.commands;
    if (lifecycle === null || goal?.body.kind !== 'goal') return null;
    // A goal entered in error still shows what it had been.
    const { enteredInError: _, ...goalWithoutError } = goal;
    const commands = committedCommands({ ...record, commands: [goalWithoutError, ...later] });
    const expressedBy = goal.committed && referToAuthor(goal.committed);
    const latest = <Field extends keyof GoalFields>(field: Field): GoalFields[Field] =>
      commands.findLast(({ body }) => body[field] !== undefined)?.body[field];
    const reason = deriveStatusReason(extensionBase, goal);
    const achievementStatus = latest('achievementStatus');
    const priority = latest('priority');
    const { description, descriptionCoding, startDate, target: measure = {}, elements } = goal.body;
    const { furtherTargets = [] } = goal.body;
    const { sourceStatus, statusDate, statusReason } = statusFactsOf(lifecycle, goal.body, commands);
    const target = deriveTarget(measure, latest('dueDate'));
    const extension = [
      ...(sourceStatus === undefined
        ? []
        : [{ url: sourceStatusUrl(extensionBase), valueCode: sourceStatus }]),
      ...furtherTargets.map((further) => toFurtherTarget(extensionBase, further)),
    ];
    const note = commands.flatMap(({ body, committed }) => {
      const authorReference = referToAuthor(committed);
      return body.notes.map(({ id, text, time = formatInstant(committed.at) }) => ({
        id,
        ...(authorReference !== undefined && { authorReference }),
        ...(time !== null && { time }),
        text,
      }));
    });
    return {
      resourceType: 'Goal',
      id: record.id,
      ...(extension.length > 0 && { extension }),
      lifecycleStatus: lifecycle,
      ...(reason !== undefined && { _lifecycleStatus: reason }),
      ...(achievementStatus !== undefined && {
        achievementStatus: toConcept(achievementStatuses, achievementStatus),
      }),
      ...(priority !== undefined && { priority: toConcept(priorities, priority) }),
      description: {
        ...(descriptionCoding !== undefined && { coding: descriptionCoding }),
        text: description,
      },
      subject: createReference('Patient', record.patientId),
      ...(startDate !== undefined && { startDate }),
      ...(target !== null && { target: [target] }),
      ...(statusDate !== undefined && { statusDate }),
      ...(statusReason !== undefined && { statusReason }),
      ...(expressedBy !== undefined && { expressedBy }),
      ...(note.length > 0 && { note }),
      ...elements,
    };
  };

export const defineGoalRecord = ({
  zone,
  extensionBase,
  fields,
}: Pick<Environment, 'zone' | 'extensionBase' | 'fields'>) =>
  defineChartRecord(withFieldParameters(goalFacts, fields), deriveGoal(extensionBase), zone);
