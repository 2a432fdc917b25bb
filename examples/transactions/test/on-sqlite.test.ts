import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { fromDrizzle, fromPrisma } from '@clinical-records/store-sqlite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { by, committed, orderOf, putPeople, visitOf } from './chart.ts';
import { testJoinedTransactions } from './joined-transactions.ts';
import { openDrizzle, toolsOnSqlite } from './tools/on-sqlite.ts';
import { type Tool, Undone } from './tools/tool.ts';

const inAnotherRequest = AsyncLocalStorage.snapshot();

describe.each(Object.entries(toolsOnSqlite))('%s on SQLite', (_, open) => {
  let tool: Tool;
  beforeAll(async () => {
    tool = await open();
    await putPeople(tool);
  });
  afterAll(async () => {
    expect(await tool.records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
    await tool.close();
  });

  testJoinedTransactions(() => tool);

  test('idle, and feed order: SQLite has one writer, so another write waits for the end, and comes after it', async () => {
    let isWritten = false;
    let other: Promise<unknown> = Promise.resolve();
    await tool.transaction(async ({ joined }) => {
      other = tool.records.chart.record(orderOf('other'), by).then(() => {
        isWritten = true;
      });
      await tool.records.in(joined).chart.record(orderOf('idle'), by);
      for (let turn = 0; turn < 20; turn += 1) await setImmediate();
      expect(isWritten).toBe(false);
    });
    await other;
    expect(await committed(tool, 'idle', 'other')).toEqual(['idle', 'other']);
  });
});

describe('Drizzle on SQLite, in records.transaction', () => {
  const tool = openDrizzle();
  beforeAll(() => putPeople(tool));
  afterAll(async () => {
    expect(await tool.records.verify()).toMatchObject({ discrepancies: [], miscounted: [] });
    await tool.close();
  });

  test('its own transaction cannot be joined, because it is synchronous', () => {
    tool.db.transaction((tx) => expect(() => fromDrizzle(tx)).toThrow('synchronous'));
  });

  test('commit: the visit and the dose that refers to it are there', async () => {
    const id = await tool.bookVisit(visitOf('booked'));
    expect(await tool.records.immunizations.read(id)).toMatchObject({
      encounter: { reference: 'Encounter/booked' },
    });
    expect(await tool.visits()).toContain('booked');
  });

  test('rollback: neither is there if a statement of Drizzle fails', async () => {
    await expect(tool.bookVisit(visitOf('booked'))).rejects.toThrow();
    expect(await tool.records.immunizations.search({ patient: 'amy' })).toMatchObject({ total: 1 });
  });

  test('savepoint: one around statements of Drizzle undoes these', async () => {
    await tool.records.transaction(async (tx) => {
      await tx.chart.record(orderOf('kept'), by);
      tx.write(() => {
        tool.db.insert(tool.table).values(visitOf('kept')).run();
        const undo = () =>
          tool.db.transaction((nested) => {
            nested.insert(tool.table).values(visitOf('within')).run();
            throw new Undone();
          });
        expect(undo).toThrow(Undone);
      });
    });
    expect([await tool.visits(), await committed(tool, 'kept')]).toEqual([['booked', 'kept'], ['kept']]);
  });

  test('idle, and feed order: nothing is open before its end, so others write, and come first', async () => {
    await tool.records.transaction(async (tx) => {
      await tx.chart.record(orderOf('idle'), by);
      await inAnotherRequest(() => tool.records.chart.record(orderOf('other'), by));
      tool.db.insert(tool.table).values(visitOf('other')).run();
    });
    expect(await committed(tool, 'idle', 'other')).toEqual(['other', 'idle']);
  });
});

test('Prisma on SQLite cannot be joined, because its connection cannot be reached', () => {
  expect(() => fromPrisma({})).toThrow('a connection of its own');
});
