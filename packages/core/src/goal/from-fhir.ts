import { z } from 'zod';
import type { Environment } from '../environment.ts';
import { intervalOf } from '../fhir/date-time.ts';
import { leftOut } from '../fhir/faults.ts';
import {
  type Foreign,
  type ForeignConcept,
  type ForeignReading,
  foreign,
  foreignConcept,
  foreignIdOf,
  foreignReading,
  referredIn,
  type SaidBesides,
} from '../fhir/foreign.ts';
import { achievementStatuses, type Codes, priorities } from './codes.ts';
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

const foreignGoal = z.object({
  id: foreign.id,
  lifecycleStatus: z.enum(Object.keys(lifecycles) as (keyof typeof lifecycles)[]),
  achievementStatus: foreignConcept.optional(),
  priority: foreignConcept.optional(),
  description: foreignConcept.refine((concept) => descriptionOf(concept) !== undefined),
  subject: foreignIdOf('Patient'),
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

type ForeignGoal = z.infer<typeof foreignGoal>;

/** The first code that counts in a concept, of the system or of none that is named. Each other one is left out. */
const codeIn = <Code extends string>(
  element: string,
  concept: ForeignConcept | undefined,
  { system, displays }: Codes<Code>,
): Foreign<Code | undefined> => {
  if (concept === undefined) return { read: undefined, faults: [] };
  const { coding = [] } = concept;
  const counting = coding.flatMap((coded, at) => {
    const isKnown = (coded.system ?? system) === system && Object.hasOwn(displays, coded.code ?? '');
    return isKnown ? [{ code: coded.code as Code, at }] : [];
  });
  const read = counting[0]?.code;
  if (read === undefined) return { read, faults: [leftOut(element)] };
  const others = counting.filter(({ code }) => code !== read);
  return { read, faults: others.map(({ at }) => leftOut(`${element}.coding[${at}]`)) };
};

/** The first due date. Each other one is left out. */
const dueDateIn = ({ target = [] }: ForeignGoal): Foreign<string | undefined> => {
  const read = target.find(({ dueDate }) => dueDate !== undefined)?.dueDate;
  const faults = target.flatMap(({ dueDate = read }, at) =>
    dueDate === read ? [] : [leftOut(`Goal.target[${at}].dueDate`)],
  );
  return { read, faults };
};

/** The notes, each with an id of its own, and its author. */
const notesIn = ({ note = [] }: ForeignGoal, newId: () => string) => {
  const ids = new Set<string>();
  return note.map(({ id: sent, text, time = null, authorReference, authorString }, at) => {
    const element = `Goal.note[${at}]`;
    const author = referredIn(`${element}.authorReference`, 'Practitioner', authorReference);
    const id = sent === undefined || ids.has(sent) ? newId() : sent;
    ids.add(id);
    const lost = authorString === undefined ? [] : [leftOut(`${element}.authorString`)];
    return { note: { id, text, time }, author: author.read, faults: [...lost, ...author.faults] };
  });
};

/** A command that a goal comes to: when it was committed, and by whom, where that is known. */
type Made = {
  readonly body: GoalCommandBody;
  readonly at: number;
  readonly by?: { readonly id: string } | undefined;
};

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
    /** Never ahead, where it would count for more than whatever the clinic commits until then. */
    const committedAt = (text: string | null | undefined, otherwise = readAt) =>
      Math.min(intervalOf(text ?? '', zone)?.from ?? otherwise, readAt);
    const begun = committedAt(goal.startDate ?? goal.statusDate);
    const lifecycle = lifecycles[goal.lifecycleStatus];
    const isInError = lifecycle === 'entered-in-error';

    const due = dueDateIn(goal);
    const achievement = codeIn('Goal.achievementStatus', goal.achievementStatus, achievementStatuses);
    const priority = codeIn('Goal.priority', goal.priority, priorities);
    const expressedBy = referredIn('Goal.expressedBy', 'Practitioner', goal.expressedBy);
    const notes = notesIn(goal, newId);

    const body: GoalCommandBody = {
      kind: 'goal',
      description: descriptionOf(goal.description) ?? '',
      startDate: goal.startDate,
      achievementStatus: achievement.read,
      priority: priority.read,
      dueDate: due.read,
      notes: [],
    };
    const made: readonly Made[] = [
      { body, at: begun, by: expressedBy.read[0] },
      ...notes.map(
        ({ note, author }): Made => ({
          body: { kind: 'updateGoal', notes: [note] },
          at: committedAt(note.time, begun),
          by: author[0],
        }),
      ),
      ...(lifecycle === 'closed'
        ? [{ body: { kind: 'closeGoal', notes: [] }, at: committedAt(goal.statusDate) } as const]
        : []),
    ];
    return {
      read: {
        isInError,
        practitioners: [...expressedBy.read, ...notes.flatMap(({ author }) => author)],
        id: goal.id,
        patientId: goal.subject,
        commands: made.map(({ body, at, by }, order) => ({
          body,
          stagedAt: readAt,
          committed: { at, by: by?.id ?? null, order },
          ...(order === 0 && isInError && { enteredInError: { at: readAt, by: null } }),
        })),
      },
      faults: [due, achievement, priority, expressedBy, ...notes].flatMap(({ faults }) => faults),
    };
  });
