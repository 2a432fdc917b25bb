import * as z from 'zod';
import { coding } from '../fhir/coding.ts';
import { inputCommonElements } from '../fhir/common-elements.ts';
import { date } from '../fhir/date-time.ts';
import { atMostOne, element, list, text, unstoredResourceElements } from '../fhir/element.ts';
import { id, readReferenceId, reference } from '../fhir/reference.ts';
import type { SchemaOutput } from '../fhir/schema.ts';
import { measureNames } from './elements.ts';
import { achievementStatuses, type BeginGoalCommand, type CodeSystem, priorities } from './model.ts';

/** A concept with exactly one coding of a code system. */
const conceptOf = <Code extends string, System extends string>({
  system,
  displays,
}: CodeSystem<Code, System>) =>
  element(
    {
      coding: list(
        coding(z.literal(system), z.enum(Object.keys(displays) as Code[]), text.optional()),
      ).length(1),
    },
    ['text', '_text'],
  );

const targetSchema = element({ dueDate: date }, [...measureNames, '_dueDate']);

const noteSchema = element({ text }, [
  'authorReference',
  'authorString',
  'time',
  '_authorString',
  '_time',
  '_text',
]);

const fields = {
  resourceType: z.literal('Goal').optional(),
  ...inputCommonElements,
  /** How far the goal is achieved. */
  achievementStatus: conceptOf(achievementStatuses).optional(),
  /** How urgent the goal is. */
  priority: conceptOf(priorities).optional(),
  /** The goal in words. */
  description: element({ text }, ['coding', '_text']),
  /** The patient whose goal it is. */
  subject: reference('Patient'),
  /** When pursuit of the goal begins: a FHIR `date`. */
  startDate: date.optional(),
  /** The due date. */
  target: atMostOne(targetSchema).optional().describe('The due date.'),
};

/** The elements of FHIR R4's Goal that are not stored. */
const unstoredElements = [
  ...unstoredResourceElements,
  'category',
  'startCodeableConcept',
  'statusDate',
  'statusReason',
  'expressedBy',
  'addresses',
  'outcomeCode',
  'outcomeReference',
  '_lifecycleStatus',
  '_startDate',
  '_statusDate',
  '_statusReason',
];

const exampleBody = {
  description: { text: 'Walk 5 km a day' },
  subject: { reference: 'Patient/7' },
  startDate: '2026-03-01',
  target: [{ dueDate: '2026-06-01' }],
};

/** The body of a POST. An id in it is dropped: the server takes none that a client made. */
export const createBodySchema = element(
  {
    ...fields,
    /** `proposed` stages the goal, `active` also commits it. */
    lifecycleStatus: z
      .enum(['proposed', 'active'])
      .describe('proposed stages the goal, active also commits it.'),
    /** A comment on the progress. */
    note: atMostOne(noteSchema).optional().describe('A comment on the progress.'),
  },
  unstoredElements,
).meta({
  description:
    'Stages a goal with the status proposed: it has no effect, and cannot be read, until a PUT commits it. With the status active, it is also committed.',
  examples: [{ lifecycleStatus: 'proposed', ...exampleBody, note: [{ text: 'Walks 2 km already.' }] }],
});

/** The body of a PUT: what a POST returned can be sent back with the status `active`. */
export const updateBodySchema = element(
  {
    ...fields,
    /** The id of the goal, as in the path. */
    id,
    /** Always `active`: a PUT only commits a goal. */
    lifecycleStatus: z.literal('active').describe('Always active: a PUT only commits a goal.'),
    /** The comments that were staged. */
    note: list(noteSchema).optional().describe('The comments that were staged.'),
  },
  unstoredElements,
).meta({
  description: 'Commits a staged goal. Every element that is sent must have the value that was staged.',
  examples: [{ id: '6b1f0c9e-6f0f-4a4b-9d52-6a6f4f0a2f11', lifecycleStatus: 'active', ...exampleBody }],
});

/** The body that stages a goal. Source: docs/http-interface.md#goal-commands. */
export interface GoalCreateBody extends SchemaOutput<typeof createBodySchema> {}

/** The body that commits a goal. Source: docs/http-interface.md#goal-commands. */
export interface GoalUpdateBody extends SchemaOutput<typeof updateBodySchema> {}

/** The command that a POST requests. Source: docs/http-interface.md#goal-commands. */
export const toGoalCommand = ({
  meta,
  identifier,
  achievementStatus,
  priority,
  description,
  subject,
  startDate,
  target,
  note,
}: GoalCreateBody): BeginGoalCommand => ({
  kind: 'goal',
  patientId: readReferenceId(subject),
  meta,
  identifier,
  description: description.text,
  startDate,
  dueDate: target?.[0]?.dueDate,
  priority: priority?.coding[0]?.code,
  achievementStatus: achievementStatus?.coding[0]?.code,
  progress: note?.[0]?.text,
});
