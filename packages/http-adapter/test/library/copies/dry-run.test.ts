import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClinicalRecordsOptions, TransactionRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { isRight, left } from 'fp-ts/lib/Either.js';
import { describe, expect, test, vi } from 'vitest';
import { ada, enteredInError, goal, immunize, labOrder, statement, team } from '../../builders.ts';
import { createRecords, extensionBase, readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

/** Calls a function as another request does, which no callback makes. */
const inAnotherRequest = AsyncLocalStorage.snapshot();

const by = { by: 'Practitioner/ada' } as const;

type Write = (on: TransactionRecords) => Promise<unknown>;

/** Writes that are possible, and others that are refused. */
const writes: Readonly<Record<string, Write>> = {
  create: ({ immunizations }) => immunizations.create(statement(), by),
  'create with a key': ({ immunizations }) =>
    immunizations.create(statement(), { ...by, idempotencyKey: 'k' }),
  'create for an unknown patient': ({ immunizations }) =>
    immunizations.create(statement({ patient: { reference: 'Patient/nobody' } }), by),
  'create of a malformed body': ({ immunizations }) => immunizations.create({} as never, by),
  'update of a team': ({ careTeams }) => careTeams.update('amy', team(ada), by),
  'update of a team with another version': ({ careTeams }) =>
    careTeams.update('amy', team(ada), { ...by, ifMatch: [9] }),
  'update of an immunization that does not exist': ({ immunizations }) =>
    immunizations.update('shot', enteredInError(), by),
  'stage of an order': ({ chart }) => chart.stage(labOrder({ id: 'order' }), by),
  'record of a goal': ({ chart }) => chart.record(goal(), by),
  'record of an update of a goal that does not exist': ({ chart }) =>
    chart.record({ kind: 'updateGoal', goalId: 'run', progress: 'A mile' }, by),
  'record of an immunization': ({ chart }) => chart.record(immunize(), by),
  'put of a patient': ({ directory }) => directory.put('Patient', { id: 'new', lastName: 'Roe' }),
};

/** An outcome as far as it is the same in two runs: new ids and times differ. */
const kindOf = (outcome: Awaited<ReturnType<typeof outcomeOf>>) => (isRight(outcome) ? 'done' : outcome);

onEveryStore('records.dryRun', (clinic) => {
  test.each(Object.entries(writes))('ends as the write does, and writes nothing: %s', async (_, write) => {
    const { records } = clinic();
    const before = (await clinic().feed()).length;
    const dry = await outcomeOf(records.dryRun(write));
    expect((await clinic().feed()).length).toBe(before);
    expect(kindOf(dry)).toEqual(kindOf(await outcomeOf(records.transaction(write))));
  });

  test('shows its writes to its reads, and to nobody else', async () => {
    const { records } = clinic();
    const seen = await records.dryRun(async (tx) => {
      await tx.chart.record(goal(), by);
      const outside = await outcomeOf(records.goals.read('walk'));
      return [
        (await tx.goals.read('walk')).lifecycleStatus,
        (await tx.goals.search({ patient: 'amy' })).total,
        outside,
      ];
    });
    const missing = left(expect.objectContaining({ _tag: 'NotFound' }));
    expect(seen).toEqual(['active', 1, missing]);
    expect(await outcomeOf(records.goals.read('walk'))).toEqual(missing);
  });

  test('runs again if a record that it has read has changed', async () => {
    const { records } = clinic();
    await records.chart.record(goal(), by);
    const { chart } = createRecords(clinic().store, { clock: clinic().clock.now });
    const seen: unknown[] = [];
    const retracted = records.dryRun(async (tx) => {
      seen.push((await tx.goals.read('walk')).lifecycleStatus);
      if (seen.length === 1)
        await inAnotherRequest(() => chart.record({ kind: 'closeGoal', goalId: 'walk' }, by));
    });
    await retracted;
    expect(seen).toEqual(['active', 'completed']);
  });

  test('tells what the rules of the host would refuse, and their warnings', async () => {
    const rules: ClinicalRecordsOptions['rules'] = {
      Immunization: ({ after }) => [
        { rule: 'acme', message: 'Acme.', severity: after.lotNumber === 'bad' ? 'error' : 'warning' },
      ],
    };
    const records = createRecords(clinic().store, { clock: clinic().clock.now, rules });
    const onWarnings = vi.fn();
    const dry = (lotNumber: string) =>
      outcomeOf(
        records.dryRun((tx) => tx.immunizations.create(statement({ lotNumber }), { ...by, onWarnings })),
      );
    const issue = { rule: 'acme', message: 'Acme.', system: `${extensionBase}/rules` };
    expect(await dry('bad')).toEqual(left({ _tag: 'RuleViolation', issues: [issue] }));
    expect(onWarnings).not.toHaveBeenCalled();
    expect((await dry('good'))._tag).toBe('Right');
    expect(onWarnings.mock.calls).toEqual([[[issue]]]);
  });

  test('cannot begin in a transaction, nor in another one', async () => {
    const { records } = clinic();
    const nested = (on: (work: Write) => Promise<unknown>) =>
      outcomeOf(on(() => records.dryRun(async () => {})));
    const refused = { left: { _tag: 'Misuse' } };
    expect(await nested((work) => records.transaction(work))).toMatchObject(refused);
    expect(await nested((work) => records.dryRun(work))).toMatchObject(refused);
    expect((await outcomeOf(records.dryRun(async () => {})))._tag).toBe('Right');
  });
});

describe('a dry run asks the host', () => {
  test('for entries, which are not stored', async () => {
    const resolve = vi.fn((type: string, id: string) =>
      type === 'Patient' && id === 'amy' ? { id, lastName: 'Shaw' } : null,
    );
    const store = createMemoryStore();
    const records = createRecords(store, { resolve });
    await records.dryRun((tx) => tx.immunizations.create(statement()));
    expect(resolve).toHaveBeenCalledWith('Patient', 'amy', undefined);
    expect(await readFeed(store)).toEqual([]);
  });

  test('for no id', async () => {
    const newId = vi.fn(() => 'made-by-the-host');
    const records = createRecords(createMemoryStore(), { newId });
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    await records.dryRun((tx) => tx.immunizations.create(statement()));
    expect(newId).not.toHaveBeenCalled();
    expect(await records.immunizations.create(statement())).toMatchObject({ id: 'made-by-the-host' });
  });
});
