import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type {} from '../../../testing/postgres/global-setup.ts';
import { doseOf } from '../visit.ts';
import { by, committed, orderOf, putPeople, visitOf } from './chart.ts';
import { toolsOnPostgres } from './tools/on-postgres.ts';
import { type Tool, Undone } from './tools/tool.ts';

describe.each(Object.entries(toolsOnPostgres))('%s on PostgreSQL', (_, open) => {
  let tool: Tool;
  beforeAll(async () => {
    tool = await open(inject('postgresUrl'));
    await putPeople(tool);
  });
  afterAll(async () => {
    expect(await tool.records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
    await tool.close();
  });

  test('commit: the visit and the dose that refers to it are there', async () => {
    const id = await tool.bookVisit(visitOf('booked'));
    expect(await tool.records.immunizations.read(id)).toMatchObject({
      encounter: { reference: 'Encounter/booked' },
    });
    expect(await tool.visits()).toContain('booked');
  });

  test('rollback: neither is there', async () => {
    let dose = '';
    const undone = tool.transaction(async ({ joined, insert }) => {
      await insert(visitOf('undone'));
      const { immunizations } = tool.records.in(joined);
      dose = (await immunizations.create(doseOf(visitOf('undone')), by)).id;
      expect(await immunizations.search({ _id: dose })).toMatchObject({ total: 1 });
      throw new Undone();
    });
    await expect(undone).rejects.toThrow(Undone);
    expect(await tool.records.immunizations.search({ _id: dose })).toMatchObject({ total: 0 });
    expect(await tool.visits()).not.toContain('undone');
  });

  test('savepoint: what came after it is not there, and takes no place in the feed', async () => {
    await tool.transaction(async ({ joined, insert, undo }) => {
      const { chart } = tool.records.in(joined);
      await chart.record(orderOf('before'), by);
      await undo(async () => {
        await insert(visitOf('within'));
        await chart.record(orderOf('within'), by);
      });
      await chart.record(orderOf('after'), by);
    });
    expect(await committed(tool, 'before', 'within', 'after')).toEqual(['before', 'after']);
    expect(await tool.visits()).not.toContain('within');
  });

  test('idle: others write while it is open, and see nothing of it', async () => {
    const others = Array.from({ length: 20 }, (_, at) => `other-${at}`);
    await tool.transaction(async ({ joined, insert }) => {
      await insert(visitOf('idle'));
      await tool.records.in(joined).chart.record(orderOf('idle'), by);
      for (const id of others) await tool.records.chart.record(orderOf(id), by);
      expect(await committed(tool, 'idle', ...others)).toEqual(others);
      expect(await tool.visits()).not.toContain('idle');
    });
    expect(await committed(tool, 'idle', ...others)).toEqual([...others, 'idle']);
  });

  test('feed order: of two transactions, the one that commits first is first', async () => {
    const [begun, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const first = tool.transaction(async ({ joined }) => {
      const { chart } = tool.records.in(joined);
      await chart.record(orderOf('begun-first'), by);
      begun.resolve();
      await ended.promise;
      await chart.record(orderOf('begun-first-2'), by);
    });
    await Promise.race([begun.promise, first]);
    await tool.transaction(async ({ joined }) => {
      await tool.records.in(joined).chart.record(orderOf('committed-first'), by);
    });
    ended.resolve();
    await first;
    const ids = ['committed-first', 'begun-first', 'begun-first-2'];
    expect(await committed(tool, ...ids)).toEqual(ids);
  });

  test('a call that is refused undoes nothing else', async () => {
    await tool.transaction(async ({ joined }) => {
      const { chart, immunizations } = tool.records.in(joined);
      await chart.record(orderOf('kept'), by);
      await expect(chart.record(orderOf('kept'), by)).rejects.toMatchObject({ tag: 'RuleViolation' });
      await expect(immunizations.create(doseOf(visitOf('nowhere')), by)).rejects.toMatchObject({
        tag: 'RuleViolation',
      });
    });
    expect(await committed(tool, 'kept')).toEqual(['kept']);
  });

  test('after its end, it is refused with a sentence', async () => {
    let late: (() => Promise<unknown>) | undefined;
    await tool.transaction(async ({ joined }) => {
      late = () => tool.records.in(joined).chart.record(orderOf('late'), by);
    });
    await expect(late?.()).rejects.toMatchObject({ tag: 'Misuse' });
    expect(await committed(tool, 'late')).toEqual([]);
  });
});
