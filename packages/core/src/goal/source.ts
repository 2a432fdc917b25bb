import * as z from 'zod';
import { createImportedCommand } from '../chart/command.ts';
import type { Environment } from '../environment.ts';
import { anyCoding, isSameSystem, type PartialCoding } from '../fhir/coding.ts';
import { parseInterval } from '../fhir/date-time.ts';
import { isPresent, list } from '../fhir/element.ts';
import { type BodyRule, leftOutIssue, nearestStatusIssue } from '../fhir/issues.ts';
import { readReferenceId } from '../fhir/reference.ts';
import { isOneOf } from '../fhir/schema.ts';
import {
  createElementReader,
  createSourceIdSchema,
  createSourceReader,
  practitionersIn,
  readPerson,
  type SentResource,
  type SourceConcept,
  type SourceDetails,
  type SourcePerson,
  type SourceReader,
  type SourceReading,
  sourceConcept,
  sourceElements,
} from '../fhir/source-resource.ts';
import { toStoredElement } from '../fhir/stored-element.ts';
import type { OtherVersion } from '../importer/other-formats.ts';
import { type GoalElements, goalElements, storeGoalElements } from './elements.ts';
import { readFurtherTarget } from './further-targets.ts';
import {
  achievementStatuses,
  type CodeSystem,
  type Goal,
  type GoalCommandBody,
  type GoalNote,
  type GoalRecord,
  type GoalSourceStatus,
  type GoalStatusFacts,
  nearestStatuses,
  priorities,
  sourceStatusUrl,
} from './model.ts';
import { noTargets, readTargets } from './source-targets.ts';

/** The lifecycle here for each of FHIR's states. */
const lifecycleByStatus = {
  ...nearestStatuses,
  active: 'active',
  completed: 'completed',
  'entered-in-error': 'entered-in-error',
} as const satisfies Record<string, Goal['lifecycleStatus']>;

const sourceGoalSchema = z.object({
  id: sourceElements.id,
  extension: sourceElements.extensions,
  lifecycleStatus: z.enum(Object.keys(lifecycleByStatus) as (keyof typeof lifecycleByStatus)[]),
  achievementStatus: sourceConcept.optional(),
  priority: sourceConcept.optional(),
  description: sourceConcept.refine((concept) => descriptionOf(concept) !== undefined, {
    params: { rule: 'required' satisfies BodyRule },
  }),
  subject: createSourceIdSchema('Patient'),
  startDate: sourceElements.date.optional(),
  statusDate: sourceElements.date.optional(),
  target: z.array(z.object({ dueDate: sourceElements.date.optional() })).optional(),
  expressedBy: sourceElements.reference.optional(),
  note: z
    .array(
      z.object({
        id: sourceElements.text.optional(),
        authorReference: sourceElements.reference.optional(),
        authorString: sourceElements.text.optional(),
        time: sourceElements.dateTime.optional(),
        text: sourceElements.text,
      }),
    )
    .optional(),
});

const descriptionOf = ({ text, coding = [] }: SourceConcept) =>
  text ?? coding.find(({ display }) => display !== undefined)?.display;

type SourceGoal = z.infer<typeof sourceGoalSchema>;

/** The first code that counts in a concept, of the system or of none that is named. Each other one is left out. */
const readCode = <Code extends string>(
  element: string,
  concept: SourceConcept | undefined,
  { system, displays }: CodeSystem<Code>,
): SourceReading<Code | undefined> => {
  if (concept === undefined) return { value: undefined, issues: [] };
  const { coding = [] } = concept;
  const isKnown = (code: string | undefined): code is Code =>
    code !== undefined && Object.hasOwn(displays, code);
  const knownCodes = coding.flatMap(({ system: sent = system, code }, index) =>
    isSameSystem(sent, system) && isKnown(code) ? [{ code, index }] : [],
  );
  const value = knownCodes[0]?.code;
  if (value === undefined) return { value, issues: [leftOutIssue(element)] };
  const otherCodes = knownCodes.filter(({ code }) => code !== value);
  return { value, issues: otherCodes.map(({ index }) => leftOutIssue(`${element}.coding[${index}]`)) };
};

const isSourceStatus = isOneOf(Object.keys(nearestStatuses) as GoalSourceStatus[]);

/** The state that no goal has here: of the source, or of the source from which it once came. */
const readSourceStatus = (
  { lifecycleStatus, extension = [] }: SourceGoal,
  extensionBase: string,
): SourceReading<GoalSourceStatus | undefined> => {
  if (isSourceStatus(lifecycleStatus)) {
    return { value: lifecycleStatus, issues: [nearestStatusIssue('Goal.lifecycleStatus')] };
  }
  const [sent] = extension.filter(({ url }) => url === sourceStatusUrl(extensionBase));
  const value = sent?.valueCode;
  return isSourceStatus(value) && nearestStatuses[value] === lifecycleStatus
    ? { value, issues: [] }
    : { value: undefined, issues: sent === undefined ? [] : [leftOutIssue('Goal.extension')] };
};

const readElements = createElementReader<GoalElements & Pick<GoalStatusFacts, 'statusReason'>>('Goal', {
  ...goalElements,
  statusReason: sourceElements.text.optional(),
});

const readDescription = createElementReader<{ readonly coding?: readonly PartialCoding[] }>(
  'Goal.description',
  { coding: list(anyCoding).optional() },
);

/** The notes, each with an id of its own, and its author. */
const readNotes = ({ note = [] }: SourceGoal, newId: () => string) => {
  const ids = new Set<string>();
  return note.map(({ id: sent, text, time = null, authorReference, authorString }, index) => {
    const element = `Goal.note[${index}]`;
    const named = authorString === undefined ? undefined : { display: authorString };
    const author = readPerson(`${element}.authorReference`, authorReference ?? named);
    const id = sent === undefined || ids.has(sent) ? newId() : sent;
    ids.add(id);
    return { note: { id, text, time }, author: author.value, issues: author.issues };
  });
};

/** A command of an imported goal: when it was committed, and by whom, where that is known. */
type ImportedCommand = {
  readonly body: GoalCommandBody;
  readonly at: number;
  readonly by?: SourcePerson | undefined;
};

/** FHIR allows one of them. */
const isBegunTwice = ({ startDate }: SourceGoal, { startCodeableConcept }: SentResource): boolean =>
  startDate !== undefined && startCodeableConcept !== undefined;

/** Reads the body of the goal command, and the facts about the status of the goal, which a close command has. */
const readBody = (
  goal: SourceGoal,
  sent: SentResource,
  extensionBase: string,
): SourceReading<{ readonly body: GoalCommandBody; readonly statusFacts: GoalStatusFacts }> => {
  const hasTargets = sent.target !== undefined || sent.extension !== undefined;
  const targets = hasTargets ? readTargets(goal.target ?? [], sent, extensionBase) : noTargets;
  const { target = {}, furtherTargets } = targets.value;
  const { dueDate, ...measure } = target;
  const elements = readElements(
    isBegunTwice(goal, sent) ? { ...sent, startCodeableConcept: undefined } : sent,
  );
  const description = readDescription(sent.description as SentResource);
  const status = readSourceStatus(goal, extensionBase);
  const { statusReason } = elements.value;
  const statusFacts = { statusDate: goal.statusDate, statusReason, sourceStatus: status.value };
  const achievement = readCode('Goal.achievementStatus', goal.achievementStatus, achievementStatuses);
  const priority = readCode('Goal.priority', goal.priority, priorities);
  const body: GoalCommandBody = {
    kind: 'goal',
    description: descriptionOf(goal.description) ?? '',
    descriptionCoding: isPresent(description.value.coding) ? description.value.coding : undefined,
    startDate: goal.startDate,
    target: Object.keys(measure).length > 0 ? toStoredElement(measure) : undefined,
    furtherTargets: furtherTargets.length > 0 ? furtherTargets.map(toStoredElement) : undefined,
    achievementStatus: achievement.value,
    priority: priority.value,
    dueDate,
    notes: [],
    elements: storeGoalElements(elements.value),
    ...(lifecycleByStatus[goal.lifecycleStatus] !== 'completed' && statusFacts),
  };
  return {
    value: { body, statusFacts },
    issues: [status, description, targets, achievement, priority, elements].flatMap(({ issues }) => issues),
  };
};

/** The command as it is stored, `order` being its place among those of the goal. */
const toCommandState = (
  { body, at, by }: ImportedCommand,
  { importedAt, order, isInError }: { importedAt: number; order: number; isInError: boolean },
) =>
  createImportedCommand(body, {
    importedAt,
    status: order === 0 && isInError ? 'entered-in-error' : 'committed',
    committed: {
      at,
      by: by?.id === undefined ? null : `Practitioner/${by.id}`,
      byDisplay: by?.display,
    },
    order,
  });

/**
 * Reads a source's goal as the commands that derive to it, or to the nearest goal that can be stored. They are a goal
 * command, an update for each note and, if the goal is closed, a close command.
 */
export const createGoalSourceReader = ({
  now,
  newId,
  zone,
  extensionBase,
}: Pick<Environment, 'now' | 'newId' | 'zone' | 'extensionBase'>): SourceReader<GoalRecord & SourceDetails> =>
  createSourceReader(sourceGoalSchema, 'Goal', (goal, sent) => {
    const readAt = now();
    /** Never ahead, where it would count for more than whatever the clinic commits until then. */
    const committedAt = (text: string | null | undefined, otherwise = readAt) =>
      Math.min(parseInterval(text ?? '', zone)?.from ?? otherwise, readAt);
    const begunAt = committedAt(goal.startDate ?? goal.statusDate);
    const lifecycle = lifecycleByStatus[goal.lifecycleStatus];
    const isInError = lifecycle === 'entered-in-error';

    const read = readBody(goal, sent, extensionBase);
    const { body, statusFacts } = read.value;
    const expressedBy = readPerson('Goal.expressedBy', goal.expressedBy);
    const notes = readNotes(goal, newId);
    // A note without a time has that of the note before it; at first, it is as early as any other.
    let noteAt = notes.reduce((earliest, { note }) => Math.min(earliest, committedAt(note.time)), begunAt);

    const commands: readonly ImportedCommand[] = [
      { body, at: begunAt, by: expressedBy.value },
      ...notes.map(({ note, author }): ImportedCommand => {
        noteAt = committedAt(note.time, noteAt);
        return { body: { kind: 'updateGoal', notes: [note] }, at: noteAt, by: author };
      }),
      ...(lifecycle === 'completed'
        ? [
            {
              body: { kind: 'closeGoal', notes: [], ...statusFacts },
              at: committedAt(goal.statusDate),
            } as const,
          ]
        : []),
    ];
    return {
      value: {
        practitioners: practitionersIn([expressedBy.value, ...notes.map(({ author }) => author)]),
        id: goal.id,
        patientId: goal.subject,
        commands: commands.map((command, order) =>
          toCommandState(command, { importedAt: readAt, order, isInError }),
        ),
      },
      issues: [
        ...[read, expressedBy, ...notes].flatMap(({ issues }) => issues),
        ...(isBegunTwice(goal, sent) ? [leftOutIssue('Goal.startCodeableConcept')] : []),
      ],
    };
  });

/** A goal in which each author without a name has the one that the directory knows. */
export const nameGoalAuthors = (record: GoalRecord, displays: ReadonlyMap<string, string>): GoalRecord => ({
  ...record,
  commands: record.commands.map((command) => {
    const { committed } = command;
    const display = committed?.byDisplay ?? displays.get(readReferenceId({ reference: committed?.by ?? '' }));
    return committed === undefined || display === undefined
      ? command
      : { ...command, committed: { ...committed, byDisplay: display } };
  }),
});

/** A goal with the names of authors, and the ids of notes, that it had after an earlier import. A note is known by its text. */
export const continueGoal = (before: GoalRecord, record: GoalRecord): GoalRecord => {
  const authors = before.commands.flatMap(({ committed }) =>
    committed?.by == null || committed.byDisplay === undefined
      ? []
      : [[readReferenceId({ reference: committed.by }), committed.byDisplay] as const],
  );
  const known = before.commands.flatMap(({ body }) => body.notes);
  const ids = new Set(record.commands.flatMap(({ body }) => body.notes.map(({ id }) => id)));
  const keepId = (note: GoalNote): GoalNote => {
    const index = known.findIndex(({ id, text }) => text === note.text && (id === note.id || !ids.has(id)));
    return index === -1 ? note : { ...note, id: known.splice(index, 1)[0]?.id ?? note.id };
  };
  const named = nameGoalAuthors(record, new Map(authors));
  return {
    ...named,
    commands: named.commands.map((command) => ({
      ...command,
      body: { ...command.body, notes: command.body.notes.map(keepId) },
    })),
  };
};

/** A goal as other systems send it: a name can be a text, and all targets are in one list. */
export const toSourceGoal = (goal: Goal): object => ({
  ...goal,
  target: [
    ...(goal.target ?? []),
    ...(goal.extension ?? []).flatMap((one) => ('extension' in one ? [readFurtherTarget(one)] : [])),
  ],
  note: goal.note?.map((one) => ({ ...one, authorString: one.authorReference?.display })),
});

export const otherVersions: readonly OtherVersion[] = [
  {
    version: 'DSTU2',
    element: 'description',
    inR4: 'description.text',
    isIn: ({ description }) => typeof description === 'string',
  },
  { version: 'STU3', element: 'status', inR4: 'lifecycleStatus' },
];
