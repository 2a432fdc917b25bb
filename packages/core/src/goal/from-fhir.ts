import { z } from 'zod';
import type { Command } from '../chart/command.ts';
import type { Environment } from '../environment.ts';
import type { Fault } from '../errors.ts';
import { intervalOf } from '../fhir/date-time.ts';
import {
  type ForeignConcept,
  type ForeignReading,
  foreign,
  foreignConcept,
  foreignId,
  foreignIdIn,
  foreignReading,
  foreignReferenceTo,
  leftOut,
  type SaidBesides,
} from '../fhir/foreign.ts';
import { achievementStatuses, achievementSystem, priorities, prioritySystem } from './codes.ts';
import type { GoalCommandBody, GoalRecord } from './model.ts';

/** What FHIR's states come to where every goal that is not closed is active. */
const lifecycles = {
  proposed: 'active',
  planned: 'active',
  accepted: 'active',
  active: 'active',
  'on-hold': 'active',
  completed: 'closed',
  cancelled: 'closed',
  rejected: 'closed',
  'entered-in-error': 'entered-in-error',
} as const;

/** The codes of a system in a concept, of that system or of none that is named, and where each stands. */
const codesIn = <Code extends string>(
  { coding = [] }: ForeignConcept,
  system: string,
  codes: Readonly<Record<Code, string>>,
) =>
  coding.flatMap((coded, at) => {
    const isKnown = (coded.system ?? system) === system && Object.hasOwn(codes, coded.code ?? '');
    return isKnown ? [{ code: coded.code as Code, at }] : [];
  });

const foreignGoal = z.object({
  id: foreign.id,
  lifecycleStatus: z.enum(Object.keys(lifecycles) as (keyof typeof lifecycles)[]),
  achievementStatus: foreignConcept.optional(),
  priority: foreignConcept.optional(),
  description: foreignConcept.refine((concept) => descriptionOf(concept) !== undefined),
  subject: foreignReferenceTo('Patient'),
  startDate: foreign.date.optional(),
  statusDate: foreign.date.optional(),
  target: z.array(z.object({ dueDate: foreign.date.optional() })).optional(),
  expressedBy: foreign.reference.optional(),
  note: z
    .array(
      z.object({
        id: foreign.text.optional(),
        authorReference: foreign.reference.optional(),
        authorString: foreign.text.optional(),
        time: foreign.dateTime.optional(),
        text: foreign.text,
      }),
    )
    .optional(),
});

const descriptionOf = ({ text, coding = [] }: ForeignConcept) =>
  text ?? coding.find(({ display }) => display !== undefined)?.display;

/**
 * The commands that derive to the goal of another system, or to the nearest that the interface knows: a goal command,
 * an update for each note, and a close command for a goal that is pursued no more.
 */
export const goalFromFhir = ({
  now,
  newId,
  zone,
}: Pick<Environment, 'now' | 'newId' | 'zone'>): ForeignReading<GoalRecord & SaidBesides> =>
  foreignReading(foreignGoal, 'Goal', (goal) => {
    const readAt = now();
    const lifecycle = lifecycles[goal.lifecycleStatus];
    /** Never ahead, where it would count for more than whatever the clinic commits until then. */
    const committedAt = (text: string | null | undefined, otherwise = readAt) =>
      Math.min(intervalOf(text ?? '', zone)?.from ?? otherwise, readAt);
    const begun = committedAt(goal.startDate ?? goal.statusDate);
    const commands: Command<GoalCommandBody>[] = [];
    const faults: Fault[] = [];
    const practitioners: SaidBesides['practitioners'][number][] = [];
    /** What was made of an element; if it is there and nothing was, it is told. */
    const kept = <A>(element: string, sent: object | undefined, made: A | undefined) => {
      if (sent !== undefined && made === undefined) faults.push(leftOut(`Goal.${element}`));
      return made;
    };
    const practitionerIn = (element: string, sent: { reference?: string | undefined } | undefined) => {
      const id = kept(element, sent, foreignId('Practitioner', sent));
      if (id !== undefined) practitioners.push({ id, element: `Goal.${element}` });
      return id;
    };
    /** The first code that counts in a concept. What else counts in it is told. */
    const codeIn = <Code extends string>(
      element: 'achievementStatus' | 'priority',
      system: string,
      codes: Readonly<Record<Code, string>>,
    ) => {
      const counting = codesIn(goal[element] ?? {}, system, codes);
      const first = kept(element, goal[element], counting[0]?.code);
      for (const { code, at } of counting)
        if (code !== first) faults.push(leftOut(`Goal.${element}.coding[${at}]`));
      return first;
    };
    const commit = (body: GoalCommandBody, at: number, by: string | undefined) =>
      commands.push({
        body,
        stagedAt: readAt,
        committed: { at, by: by ?? null, order: commands.length },
      });

    const due = goal.target?.find(({ dueDate }) => dueDate !== undefined)?.dueDate;
    for (const [at, { dueDate = due }] of (goal.target ?? []).entries())
      if (dueDate !== due) faults.push(leftOut(`Goal.target[${at}].dueDate`));
    commit(
      {
        kind: 'goal',
        description: descriptionOf(goal.description) ?? '',
        startDate: goal.startDate,
        achievementStatus: codeIn('achievementStatus', achievementSystem, achievementStatuses),
        priority: codeIn('priority', prioritySystem, priorities),
        dueDate: due,
        notes: [],
      },
      begun,
      practitionerIn('expressedBy', goal.expressedBy),
    );
    const noteIds = new Set<string>();
    for (const [at, note] of (goal.note ?? []).entries()) {
      const { text, time = null, authorReference, authorString } = note;
      const id = note.id === undefined || noteIds.has(note.id) ? newId() : note.id;
      noteIds.add(id);
      if (authorString !== undefined) faults.push(leftOut(`Goal.note[${at}].authorString`));
      commit(
        { kind: 'updateGoal', notes: [{ id, text, time }] },
        committedAt(time, begun),
        practitionerIn(`note[${at}].authorReference`, authorReference),
      );
    }
    if (lifecycle === 'closed')
      commit({ kind: 'closeGoal', notes: [] }, committedAt(goal.statusDate), undefined);

    const isInError = lifecycle === 'entered-in-error';
    const inError = isInError && { enteredInError: { at: readAt, by: null } };
    const read = {
      isInError,
      practitioners,
      id: goal.id,
      patientId: foreignIdIn(goal.subject),
      commands: commands.map((command, index) => (index === 0 ? { ...command, ...inError } : command)),
    };
    return { read, faults };
  });
