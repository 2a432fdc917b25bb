import { expect, test } from 'vitest';
import { goal } from '../../builders.ts';
import { readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';
import { expectNobodyVanished, expectOneNote } from './outcomes.ts';
import { expectSerialOrder } from './serial-order.ts';
import { createWriter, posts, prepareRace, puts } from './writes.ts';

onEveryStore('races in one process', (clinic) => {
  /** Starts all writes before the first can be answered. */
  const race = async (writes: typeof posts) => {
    const { records, store } = clinic();
    await prepareRace(records);
    const before = (await readFeed(store)).length;
    const answers = await Promise.all(writes.map(createWriter(records)));
    await expectSerialOrder(store, writes, before);
    return answers.map(({ status }) => status);
  };

  test('concurrent Immunization POSTs on an encounter without a note are all created in one note', async () => {
    expect(await race(posts)).toEqual(posts.map(() => 201));
    await expectOneNote(clinic().records, clinic().store);
  });

  test('concurrent CareTeam PUTs have the same result as one after the other, and no member is lost', async () => {
    expect(await race(puts)).toEqual(puts.map(() => 200));
    await expectNobodyVanished(clinic().records);
  });

  test('Immunization POSTs and CareTeam PUTs of one patient do not interfere', async () => {
    const mixed = posts.flatMap((post, at) => [post, ...puts.slice(at, at + 1)]);
    expect(await race(mixed)).toEqual(mixed.map(({ method }) => (method === 'POST' ? 201 : 200)));
    await expectOneNote(clinic().records, clinic().store);
    await expectNobodyVanished(clinic().records);
  });

  test('of concurrent closes of a goal exactly one succeeds, and the others are refused because it is closed', async () => {
    const { chart } = clinic().records;
    await outcomeOf(chart.record(goal(), { by: 'Practitioner/ada' }));
    const closes = await Promise.all(
      ['ada', 'bob', 'cyd', 'dan'].map((id) =>
        outcomeOf(chart.record({ kind: 'closeGoal', goalId: 'walk' }, { by: `Practitioner/${id}` })),
      ),
    );
    expect(closes.filter(({ _tag }) => _tag === 'Right')).toHaveLength(1);
    for (const close of closes.filter(({ _tag }) => _tag === 'Left')) {
      expect(close).toMatchObject({ left: { _tag: 'RuleViolation', issues: [{ rule: 'goal-closed' }] } });
    }
  });
});
