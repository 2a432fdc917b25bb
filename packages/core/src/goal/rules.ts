import * as E from 'fp-ts/lib/Either.js';
import { chartIssue, statusOf } from '../chart/command.ts';
import { type ClinicalError, createIssueFactory, notSupported, ruleViolation } from '../errors.ts';
import { readReferenceId } from '../fhir/reference.ts';
import { type ExistingRecord, type LoadedRecord, recordExists } from '../records/transact.ts';
import type { GoalUpdateBody } from './bodies.ts';
import type { GoalRecord } from './model.ts';

export const goalIssues = {
  'unknown-goal': 'There is no such goal.',
  'goal-not-committed': 'The goal command is not committed yet.',
  'goal-entered-in-error': 'The goal was entered in error.',
  'goal-closed': 'The goal is already closed.',
  'staged-goal-differs': 'The goal was staged with another value, and a commit does not change it.',
  'expressed-by-other': 'A goal is expressed by the author of its command, and by nobody else.',
} as const;

export const goalIssue = createIssueFactory(goalIssues);

/** Returns the record of a goal, which a PUT cannot create. */
export const requireGoal = (
  loaded: LoadedRecord<GoalRecord>,
): E.Either<ClinicalError, ExistingRecord<GoalRecord>> =>
  recordExists(loaded) ? E.right(loaded) : E.left(notSupported(goalIssue('unknown-goal', 'Goal.id')));

/** The elements of a body that have another value than the staged goal. An element that is not sent does not differ. */
const differingElements = (
  { subject, description, startDate, target, priority, achievementStatus, note }: GoalUpdateBody,
  { patientId, commands: [command] }: GoalRecord,
): readonly string[] => {
  if (command?.body.kind !== 'goal') return [];
  const { body } = command;
  const staged: Readonly<Record<string, readonly [sent: unknown, staged: unknown]>> = {
    subject: [readReferenceId(subject), patientId],
    description: [description.text, body.description],
    startDate: [startDate, body.startDate],
    target: [target?.[0]?.dueDate, body.dueDate],
    priority: [priority?.coding[0]?.code, body.priority],
    achievementStatus: [achievementStatus?.coding[0]?.code, body.achievementStatus],
    note: [
      note?.length ? JSON.stringify(note.map(({ text }) => text)) : undefined,
      JSON.stringify(body.notes.map(({ text }) => text)),
    ],
  };
  return Object.entries(staged).flatMap(([name, [sent, value]]) =>
    sent === undefined || sent === value ? [] : [`Goal.${name}`],
  );
};

/** Refuses a goal that is not staged, or a body that is not the staged goal. Source: docs/http-interface.md#goal-commands. */
export const checkCommit = (body: GoalUpdateBody, record: GoalRecord): E.Either<ClinicalError, void> => {
  const [command] = record.commands;
  if (command === undefined || statusOf(command) !== 'staged') {
    return E.left(ruleViolation(chartIssue('not-staged', 'Goal.lifecycleStatus')));
  }
  const issues = differingElements(body, record).map((element) => goalIssue('staged-goal-differs', element));
  return issues.length === 0 ? E.right(undefined) : E.left(ruleViolation(issues));
};
