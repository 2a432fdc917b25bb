import * as fc from 'fast-check';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { applyStep, type CommandStep, committedCommands, statusOf } from '../../src/chart/command.ts';
import {
  committed,
  completed,
  discarded,
  inError,
  orderBody,
  recordOf,
  reopened,
  staged,
} from '../builders.ts';
import { describeIssues, leftOf, rightOf } from '../results.ts';

const body = orderBody();
const authorship = { at: 50, by: 'Practitioner/dr-5' } as const;
const lives = {
  staged: staged(body),
  committed: committed(body, 10),
  completed: completed(committed(body, 10)),
  reopened: reopened(completed(committed(body, 10))),
  discarded: discarded(staged(body)),
  'entered-in-error': inError(committed(body, 10)),
};

describe('a step', () => {
  test.each([
    ['staged', 'commit', 'committed'],
    ['staged', 'discard', 'discarded'],
    ['committed', 'complete', 'completed'],
    ['committed', 'enterInError', 'entered-in-error'],
    ['completed', 'enterInError', 'entered-in-error'],
    ['completed', 'reopen', 'committed'],
    ['reopened', 'complete', 'completed'],
    ['reopened', 'enterInError', 'entered-in-error'],
  ] as const)('from %s, %s leads to %s', (from, step, to) => {
    const record = rightOf(applyStep(recordOf(lives[from]), { index: 0, step, authorship }));
    expect(record.commands.map(statusOf)).toEqual([to]);
  });

  test.each([
    ['committed', 'commit', 'not-staged'],
    ['completed', 'commit', 'not-staged'],
    ['entered-in-error', 'commit', 'not-staged'],
    ['staged', 'complete', 'not-active'],
    ['completed', 'complete', 'not-active'],
    ['entered-in-error', 'complete', 'not-active'],
    ['staged', 'reopen', 'not-completed'],
    ['committed', 'reopen', 'not-completed'],
    ['reopened', 'reopen', 'not-completed'],
    ['discarded', 'reopen', 'not-completed'],
    ['entered-in-error', 'reopen', 'not-completed'],
    ['reopened', 'discard', 'not-discardable'],
    ['discarded', 'commit', 'not-staged'],
    ['discarded', 'complete', 'not-active'],
    ['staged', 'enterInError', 'not-committed'],
    ['discarded', 'enterInError', 'not-committed'],
    ['committed', 'discard', 'not-discardable'],
    ['completed', 'discard', 'not-discardable'],
    ['entered-in-error', 'discard', 'not-discardable'],
  ] as const)('from %s, %s is refused: %s', (from, step, rule) => {
    expect(
      describeIssues([leftOf(applyStep(recordOf(lives[from]), { index: 0, step, authorship }))]),
    ).toEqual([rule]);
  });

  test.each([
    ['entered-in-error', 'enterInError'],
    ['discarded', 'discard'],
  ] as const)(
    'that is taken again once a command is %s changes nothing: the record is the same object',
    (from, step) => {
      const record = recordOf(lives[from]);
      expect(rightOf(applyStep(record, { index: 0, step, authorship }))).toBe(record);
    },
  );

  test('records who took it and when, and keeps the earlier steps', () => {
    const begun = rightOf(applyStep(recordOf(staged(body)), { index: 0, step: 'commit', authorship }));
    const carriedOut = rightOf(
      applyStep(begun, { index: 0, step: 'complete', authorship: { at: 60, by: 'Practitioner/dr-6' } }),
    );
    const undone = rightOf(
      applyStep(carriedOut, {
        index: 0,
        step: 'enterInError',
        authorship: { at: 70, by: null },
        reason: 'Wrong patient.',
      }),
    );
    expect(undone.commands).toEqual([
      {
        body,
        stagedAt: 0,
        committed: { at: 50, by: 'Practitioner/dr-5', order: 0 },
        completed: { at: 60, by: 'Practitioner/dr-6' },
        enteredInError: { at: 70, by: null, reason: 'Wrong patient.' },
      },
    ]);
  });

  test('that completes a reopened order again forgets that it was reopened', () => {
    const again = { at: 90, by: 'Practitioner/dr-6' } as const;
    const { commands } = rightOf(
      applyStep(recordOf(lives.reopened), { index: 0, step: 'complete', authorship: again }),
    );
    expect(commands).toEqual([{ ...committed(body, 10), completed: again }]);
  });

  test('does not change another command of the record', () => {
    const record = recordOf(staged(body), staged(body), staged(body));
    const { commands } = rightOf(applyStep(record, { index: 1, step: 'commit', authorship }));
    expect(commands.map(statusOf)).toEqual(['staged', 'committed', 'staged']);
    expect(record.commands.map(statusOf)).toEqual(['staged', 'staged', 'staged']);
  });

  test('the order of a commit counts the commits before it, including those entered in error since', () => {
    const record = recordOf(inError(committed(body, 10)), staged(body), committed(body, 20, { order: 1 }));
    const { commands } = rightOf(applyStep(record, { index: 1, step: 'commit', authorship }));
    expect(commands[1]?.committed?.order).toBe(2);
  });
});

const anySteps = fc.array(
  fc.record({
    index: fc.nat(3),
    step: fc.constantFrom<CommandStep>('commit', 'complete', 'reopen', 'discard', 'enterInError'),
    at: fc.integer({ min: 1, max: 3 }),
  }),
  { maxLength: 12 },
);
const recordAfter = (steps: readonly { index: number; step: CommandStep; at: number }[]) =>
  steps.reduce(
    (record, { at, ...step }) =>
      E.getOrElse(() => record)(applyStep(record, { ...step, authorship: { at, by: null } })),
    recordOf(staged(body), staged(body), staged(body), staged(body)),
  );

test('a command that is discarded or entered in error stays so after any steps', () => {
  fc.assert(
    fc.property(anySteps, anySteps, (before, after) => {
      const was = recordAfter(before).commands.map(statusOf);
      const is = recordAfter([...before, ...after]).commands.map(statusOf);
      for (const [index, status] of was.entries()) {
        if (status === 'entered-in-error' || status === 'discarded') expect(is[index]).toBe(status);
      }
    }),
  );
});

test('no two commits of a record have the same order', () => {
  fc.assert(
    fc.property(anySteps, (steps) => {
      const orders = recordAfter(steps).commands.flatMap((one) => one.committed?.order ?? []);
      expect(orders.toSorted()).toEqual(orders.map((_, index) => index));
    }),
  );
});

describe('the committed commands', () => {
  test('are all that are not entered in error, including completed and reopened ones', () => {
    const counting = [lives.committed, lives.completed, lives.reopened];
    const ended = [lives.discarded, lives['entered-in-error']];
    expect(committedCommands(recordOf(lives.staged, ...ended, ...counting))).toEqual(counting);
  });

  test('are in the order of their commit times, then of their commits', () => {
    const times = [
      [30, 1],
      [10, 3],
      [20, 2],
      [20, 0],
      [20, 10],
    ] as const;
    const record = recordOf(...times.map(([at, order]) => committed(body, at, { order })));
    expect(committedCommands(record).map((one) => [one.committed.at, one.committed.order])).toEqual([
      [10, 3],
      [20, 0],
      [20, 2],
      [20, 10],
      [30, 1],
    ]);
  });
});
