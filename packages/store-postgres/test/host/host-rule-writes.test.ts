import { isRight } from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { createRecords, openClinic, readFeed } from '../../../http-adapter/test/clinic.ts';
import {
  always,
  ends,
  everywhere,
  fill,
  never,
  onlyOneOf,
  type Rules,
  refusable,
  system,
  unrefusable,
  type Write,
} from '../../../http-adapter/test/library/host/rule-writes.ts';
import { outcomeOf } from '../../../http-adapter/test/outcome-of.ts';
import { createTenant, openPostgresStore } from '../../src/index.ts';
import { newPool } from '../tenants/databases.ts';

const pool = await newPool({ max: 4 });
let tenants = 0;

/** How a write ends in a clinic of its own, and how many versions it has written. */
const endOf = async (write: Write, rules: Rules) => {
  tenants += 1;
  const tenant = `clinic-${tenants}`;
  await createTenant({ pool, tenant });
  const store = openPostgresStore({ pool, tenant });
  const { records, clock } = await openClinic(store);
  await fill(records);
  const before = (await readFeed(store)).length;
  const outcome = await outcomeOf(write(createRecords(store, { clock: clock.now, rules })));
  const { discrepancies, miscounted } = await records.verify();
  expect([discrepancies, miscounted]).toEqual([[], []]);
  return { outcome, versions: (await readFeed(store)).length - before };
};

const blocking = everywhere({ check: always(), mayBlockEnd: true });

describe('the rules of a host, on PostgreSQL, for each way to write', () => {
  test.each(Object.entries({ ...refusable, ...ends }))('refuse with an error: %s', async (_, write) => {
    const { outcome, versions } = await endOf(write, blocking);
    expect(outcome).toMatchObject({
      left: { _tag: 'RuleViolation', issues: expect.arrayContaining([{ ...never, system }]) },
    });
    expect(versions).toBe(0);
  });

  test.each(Object.entries(unrefusable))('never refuse: %s', async (_, write) => {
    const { outcome, versions } = await endOf(write, blocking);
    expect([isRight(outcome), versions > 0]).toEqual([true, true]);
  });

  const { move: _, merge: __, ...told } = unrefusable;

  test.each(Object.entries({ ...refusable, ...ends, ...told }))('warn once: %s', async (_, write) => {
    const heard: unknown[] = [];
    const onWarnings = (warnings: readonly unknown[]) => heard.push(warnings);
    const { outcome, versions } = await endOf(
      (on) => write(on, { onWarnings }),
      onlyOneOf(always('warning')),
    );
    expect([isRight(outcome), versions > 0]).toEqual([true, true]);
    expect(heard).toEqual([[{ ...never, system }]]);
  });
});
