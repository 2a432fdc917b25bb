import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import type {} from '../../../testing/postgres/global-setup.ts';
import { doseOf } from '../visit.ts';
import { by, committed, orderOf, putPeople, visitOf } from './chart.ts';
import { testJoinedTransactions } from './joined-transactions.ts';
import { toolsOnPostgres } from './tools/on-postgres.ts';
import type { Tool } from './tools/tool.ts';

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

  testJoinedTransactions(() => tool);

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
});
