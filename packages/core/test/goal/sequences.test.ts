import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { applyStep, type CommandState } from '../../src/chart/command.ts';
import {
  type AchievementStatus,
  achievementStatuses,
  type GoalCommandBody,
  type Priority,
  priorities,
} from '../../src/goal/model.ts';
import { deriveGoal } from '../../src/goal/record.ts';
import {
  closeBody,
  committed,
  discarded,
  goalBody,
  goalRecord,
  inError,
  staged,
  updateBody,
} from '../builders.ts';
import { rightOf } from '../results.ts';

const derive = deriveGoal('https://clinic.example/fhir/extensions');

const maybe = <A>(values: readonly A[]) => fc.constantFrom(undefined, ...values);
const stated = fc.record({
  achievementStatus: maybe(Object.keys(achievementStatuses.displays) as AchievementStatus[]),
  priority: maybe(Object.keys(priorities.displays) as Priority[]),
  dueDate: maybe(['2026', '2026-02', '2026-02-03', null]),
  notes: fc.array(fc.record({ id: fc.uuid(), text: fc.constantFrom('better', 'worse') }), { maxLength: 2 }),
});
const updates = stated.map((rest): GoalCommandBody => updateBody(rest));
const closes = stated.map(
  ({ achievementStatus, notes }): GoalCommandBody => closeBody({ achievementStatus, notes }),
);
const goals = stated.map((rest): GoalCommandBody => goalBody(rest));
const bodies = fc.oneof({ weight: 3, arbitrary: updates }, { weight: 1, arbitrary: closes });
// Few times, so that many commands are committed at the same.
const times = fc.integer({ min: 10, max: 14 });

type GoalCommand = CommandState<GoalCommandBody>;

/** Committed commands, some of them entered in error, in the order of their commits. */
const commandsAfterGoal = fc.array(fc.tuple(bodies, times, fc.boolean()), { maxLength: 6 }).map((all) =>
  all.map(([body, at, isInError], index): GoalCommand => {
    const command = committed(body, at, { by: `Practitioner/dr-${index}`, order: index + 1 });
    return isInError && index % 2 === 0 ? inError(command) : command;
  }),
);
const goalCommands = fc.tuple(goals, times).map(([body, at]) => committed(body, at));
const shuffled = <A>(all: readonly A[]) => fc.shuffledSubarray([...all], { minLength: all.length });

test('the resource depends only on the set of committed commands and the order of their commits', () => {
  const inTwoOrders = commandsAfterGoal.chain((commands) =>
    fc.tuple(fc.constant(commands), shuffled(commands)),
  );
  fc.assert(
    fc.property(goalCommands, inTwoOrders, fc.nat(), (goal, [commands, others], stagedAt) => {
      const staged = others.map((command) => ({ ...command, stagedAt }));
      expect(derive(goalRecord(goal, ...staged))).toEqual(derive(goalRecord(goal, ...commands)));
    }),
  );
});

test('staged commands are never shown, and neither are updates that were entered in error', () => {
  const hidden = fc.oneof(
    bodies.map((body) => staged(body)),
    bodies.map((body) => discarded(staged(body))),
    fc.tuple(bodies, times).map(([body, at]) => inError(committed(body, at, { order: 99 }))),
  );
  const withHidden = commandsAfterGoal.chain((commands) =>
    fc
      .array(hidden, { minLength: 1, maxLength: 4 })
      .chain((more) => fc.tuple(fc.constant(commands), shuffled([...commands, ...more]))),
  );
  fc.assert(
    fc.property(goalCommands, withHidden, (goal, [commands, all]) => {
      expect(derive(goalRecord(goal, ...all))).toEqual(derive(goalRecord(goal, ...commands)));
    }),
  );
});

test('an update without effect on a field keeps the previous value of the field', () => {
  fc.assert(
    fc.property(goalCommands, commandsAfterGoal, (goal, commands) => {
      const silent = committed(updateBody(), 99, { order: 99 });
      expect(derive(goalRecord(goal, ...commands, silent))).toEqual(derive(goalRecord(goal, ...commands)));
    }),
  );
});

test('the due date is that of the last commit that states one, by a slow definition', () => {
  fc.assert(
    fc.property(goalCommands, commandsAfterGoal, (goal, commands) => {
      let dueDate: string | null | undefined;
      for (let at = 10; at <= 14; at++) {
        for (let order = 0; order <= commands.length; order++) {
          for (const one of [goal, ...commands]) {
            const counts = one.committed?.at === at && one.committed.order === order && !one.enteredInError;
            if (counts && one.body.dueDate !== undefined) dueDate = one.body.dueDate;
          }
        }
      }
      const target = derive(goalRecord(goal, ...commands))?.target;
      expect(target).toEqual(dueDate ? [{ dueDate }] : undefined);
    }),
  );
});

/** A record with all commands staged, and the steps taken that are taken, each at the time it is given. */
const after = (
  commands: readonly GoalCommandBody[],
  steps: readonly { readonly index: number; readonly step: 'commit' | 'enterInError'; readonly at: number }[],
) =>
  steps.reduce(
    (record, { at, ...step }) =>
      rightOf(applyStep(record, { ...step, authorship: { at, by: 'Practitioner/dr-1' } })),
    goalRecord(...commands.map(staged)),
  );

test('closing commutes with updates if each is committed at its own time', () => {
  fc.assert(
    fc.property(goals, updates, closes, (goal, update, close) => {
      const bodiesOf = [goal, update, close];
      const commit = (index: number) => ({ index, step: 'commit' as const, at: 10 + index });
      const one = after(bodiesOf, [commit(0), commit(1), commit(2)]);
      const other = after(bodiesOf, [commit(0), commit(2), commit(1)]);
      expect(derive(other)).toEqual(derive(one));
      expect(derive(one)?.lifecycleStatus).toBe('completed');
    }),
  );
});

test('undoing commutes with updates and with other undoing', () => {
  fc.assert(
    fc.property(goals, updates, updates, closes, (goal, first, second, close) => {
      const bodiesOf = [goal, first, close, second];
      const commit = (index: number) => ({ index, step: 'commit' as const, at: 10 + index });
      const undo = (index: number) => ({ index, step: 'enterInError' as const, at: 50 });
      const begun = [commit(0), commit(1), commit(2)];
      const expected = derive(after([goal, second], [commit(0), { ...commit(1), at: 13 }]));
      expect(expected?.lifecycleStatus).toBe('active');
      for (const rest of [
        [undo(1), undo(2), commit(3)],
        [undo(2), undo(1), commit(3)],
        [commit(3), undo(2), undo(1)],
        [undo(2), commit(3), undo(1)],
      ]) {
        expect(derive(after(bodiesOf, [...begun, ...rest]))).toEqual(expected);
      }
    }),
  );
});

test('a close command that was entered in error leaves no trace', () => {
  fc.assert(
    fc.property(goalCommands, commandsAfterGoal, closes, times, (goal, commands, body, at) => {
      const close = inError(committed(body, at, { order: 99 }));
      expect(derive(goalRecord(goal, ...commands, close))).toEqual(derive(goalRecord(goal, ...commands)));
    }),
  );
});

test('a goal that is entered in error stays so after any steps', () => {
  const anySteps = fc.array(
    fc.record({ index: fc.nat(3), step: fc.constantFrom('commit', 'enterInError'), at: times }),
    { maxLength: 6 },
  );
  fc.assert(
    fc.property(goals, fc.array(bodies, { minLength: 3, maxLength: 3 }), anySteps, (goal, more, steps) => {
      const begun = after(
        [goal, ...more],
        [
          { index: 0, step: 'commit', at: 1 },
          { index: 0, step: 'enterInError', at: 2 },
        ],
      );
      const ended = steps.reduce((record, { at, ...step }) => {
        const next = applyStep(record, { ...step, authorship: { at, by: null } });
        return E.isRight(next) ? next.right : record;
      }, begun);
      expect(derive(ended)?.lifecycleStatus).toBe('entered-in-error');
    }),
  );
});
