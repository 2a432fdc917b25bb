import { expect, test } from 'vitest';
import { doseOf } from '../visit.ts';
import { by, committed, orderOf, visitOf } from './chart.ts';
import { type Tool, Undone } from './tools/tool.ts';

/** The tests of a joined transaction that hold for any tool on either database. */
export const testJoinedTransactions = (tool: () => Tool): void => {
  test('commit: the visit and the dose that refers to it are there', async () => {
    const id = await tool().bookVisit(visitOf('booked'));
    expect(await tool().records.immunizations.read(id)).toMatchObject({
      encounter: { reference: 'Encounter/booked' },
    });
    expect(await tool().visits()).toContain('booked');
  });

  test('rollback: neither is there', async () => {
    let dose = '';
    const undone = tool().transaction(async ({ joined, insert }) => {
      await insert(visitOf('undone'));
      const { immunizations } = tool().records.in(joined);
      dose = (await immunizations.create(doseOf(visitOf('undone')), by)).id;
      expect(await immunizations.search({ _id: dose })).toMatchObject({ total: 1 });
      throw new Undone();
    });
    await expect(undone).rejects.toThrow(Undone);
    expect(await tool().records.immunizations.search({ _id: dose })).toMatchObject({ total: 0 });
    expect(await tool().visits()).not.toContain('undone');
  });

  test('savepoint: what came after it is not there, and takes no place in the feed', async () => {
    await tool().transaction(async ({ joined, insert, undo }) => {
      const { chart } = tool().records.in(joined);
      await chart.record(orderOf('before'), by);
      await undo(async () => {
        await insert(visitOf('within'));
        await chart.record(orderOf('within'), by);
      });
      await chart.record(orderOf('after'), by);
    });
    expect(await committed(tool(), 'before', 'within', 'after')).toEqual(['before', 'after']);
    expect(await tool().visits()).not.toContain('within');
  });

  test('after its end, it is refused with a sentence', async () => {
    let late: (() => Promise<unknown>) | undefined;
    await tool().transaction(async ({ joined }) => {
      late = () => tool().records.in(joined).chart.record(orderOf('late'), by);
    });
    await expect(late?.()).rejects.toMatchObject({ tag: 'Misuse' });
    expect(await committed(tool(), 'late')).toEqual([]);
  });
};
