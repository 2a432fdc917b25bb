import type { ClinicalRecords, TransactionRecords } from '@clinical-records/core';
import { createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { describe, expect, test } from 'vitest';
import { ada, bob, goal, labOrder, statement, team } from '../builders.ts';
import { cardiologist, extensionBase } from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';
import { onEveryStore } from '../stores.ts';

const by = { by: 'Practitioner/ada' } as const;
const betterNot = new Error('the host thinks better of it');

onEveryStore('records.transaction', (clinic) => {
  const ended = async (work: (tx: TransactionRecords) => Promise<unknown>) => {
    const before = (await clinic().feed()).length;
    const outcome = await outcomeOf(clinic().records.transaction(work));
    return { outcome, versions: (await clinic().feed()).length - before };
  };

  test('writes each call as a version of its own, with its author, in the order of the calls', async () => {
    const { records } = clinic();
    const { outcome } = await ended(async (tx) => {
      await tx.careTeams.update('amy', team(ada), { by: 'Practitioner/ada' });
      await tx.careTeams.update('amy', team(ada, bob), { by: 'Practitioner/bob' });
      await tx.directory.put('Practitioner', { id: 'ada', lastName: 'Lovelace', firstName: 'Ada' });
      const staged = await tx.chart.stage(labOrder({ id: 'order' }));
      await tx.chart.commit(staged.id, by);
      await tx.chart.record(goal(), by);
      return tx.immunizations.create(statement(), { ...by, idempotencyKey: 'once' });
    });
    const history = await records.careTeams.history('amy');
    expect(history.map(({ resource }) => resource?.participant?.length ?? 0)).toEqual([2, 2, 1, 0]);
    expect(history.map((version) => version.by)).toEqual([
      null,
      'Practitioner/bob',
      'Practitioner/ada',
      null,
    ]);
    expect((await records.careTeams.read('amy')).participant?.[0]?.member.display).toBe('Ada Lovelace');
    expect(await records.serviceRequests.read('order')).toMatchObject({ status: 'active' });
    expect(await records.goals.read('walk')).toMatchObject({ lifecycleStatus: 'active' });
    expect(outcome).toMatchObject({ right: { resourceType: 'Immunization' } });
    const again = await records.immunizations.create(statement(), { ...by, idempotencyKey: 'once' });
    expect(outcome).toMatchObject({ right: { id: again.id } });
  });

  test('shows its own writes to reads, histories, searches and iterations, in the order that the store gives them', async () => {
    const { records } = clinic();
    await records.chart.record(goal({ id: 'old' }), by);
    await records.chart.record(goal({ id: 'other' }), by);
    const look = async (on: Pick<TransactionRecords, 'goals'>) => {
      const ids = async (...pairs: readonly (readonly [string, string])[]) =>
        ((await on.goals.search(pairs)).entry ?? []).map(({ resource }) => resource.id);
      const all: string[] = [];
      for await (const { id } of on.goals.all({ patient: 'amy' })) all.push(id);
      return {
        all,
        active: await ids(['lifecycle-status', 'active']),
        completed: await ids(['lifecycle-status', 'completed']),
        page: await ids(['patient', 'amy'], ['_count', '2'], ['_offset', '1']),
        bundle: JSON.parse(
          await on.goals.asJson.search([
            ['patient', 'amy'],
            ['_count', '1'],
          ]),
        ).total,
        history: (await on.goals.history('old')).map(({ by: author }) => author),
        read: (await on.goals.read('new')).lifecycleStatus,
      };
    };
    let inside: unknown;
    await records.transaction(async (tx) => {
      await tx.chart.record(goal({ id: 'new' }), by);
      await tx.chart.record({ kind: 'closeGoal', goalId: 'old', achievementStatus: 'achieved' } as never, {
        by: 'Practitioner/bob',
      });
      inside = await look(tx);
    });
    expect(await look(records)).toEqual(inside);
    expect(inside).toMatchObject({ all: ['old', 'other', 'new'], active: ['other', 'new'] });
  });

  test('shows the versions that it has written in any part of a history, each with its author, as the store shows them afterwards', async () => {
    const { records } = clinic();
    const record = async (on: Pick<TransactionRecords, 'chart'>, ...names: readonly string[]) => {
      for (const name of names)
        await on.chart.record(
          { kind: 'updateGoal', goalId: 'walk', progress: name },
          { by: `Practitioner/${name}` },
        );
    };
    await records.chart.record(goal(), by);
    await record(records, 'ada', 'bob');
    const versions = [1, 2, 3, 4, 5, 6];
    const look = async (on: Pick<TransactionRecords, 'goals'>) => {
      const parts = [];
      for (const count of [1, 2, 4, 20])
        for (const before of [undefined, ...versions])
          parts.push(await on.goals.history('walk', { count, before }));
      const single = versions.map((version) => outcomeOf(on.goals.readVersion('walk', version)));
      return { parts, single: await Promise.all(single) };
    };
    let inside: Awaited<ReturnType<typeof look>> | undefined;
    await records.transaction(async (tx) => {
      await record(tx, 'bob', 'ada');
      inside = await look(tx);
    });
    expect(inside).toEqual(await look(records));
    expect(inside?.parts.at(-7)?.map((version) => version.by?.slice('Practitioner/'.length))).toEqual([
      'ada',
      'bob',
      'bob',
      'ada',
      'ada',
    ]);
  });

  test('writes nothing if the callback rejects, or does not await a call', async () => {
    const rejected = clinic().records.transaction(async (tx) => {
      await tx.chart.record(goal(), by);
      throw betterNot;
    });
    await expect(rejected).rejects.toBe(betterNot);
    const forgotten = clinic().records.transaction(async (tx) => {
      void tx.chart.record(goal(), by);
    });
    await expect(forgotten).rejects.toThrow('A call was not awaited: chart.record.');
    expect(await outcomeOf(clinic().records.goals.read('walk'))).toMatchObject({
      left: { _tag: 'NotFound' },
    });
  });

  test('rolls back a call that is refused only if the callback lets its error through', async () => {
    const { versions } = await ended(async (tx) => {
      await tx.chart.record(goal(), by);
      await outcomeOf(tx.chart.record(goal({ id: 'x', patientId: 'nobody' }), by));
    });
    expect(versions).toBeGreaterThan(0);
    const { outcome, versions: none } = await ended(async (tx) => {
      await tx.chart.record(goal({ id: 'y' }), by);
      await tx.chart.record(goal({ id: 'x', patientId: 'nobody' }), by);
    });
    expect([outcome._tag, none]).toEqual(['Left', 0]);
  });

  test('runs the callback again, at most five times, if what it has read by id changes meanwhile', async () => {
    const { records } = clinic();
    await records.chart.record(goal(), by);
    let runs = 0;
    const update = (text: string) =>
      records.chart.record({ kind: 'updateGoal', goalId: 'walk', progress: text }, by);
    const { outcome } = await ended(async (tx) => {
      runs += 1;
      await tx.goals.read('walk');
      await tx.chart.record(labOrder({ id: 'order' }), by);
      if (runs < 3) await update(`${runs}`);
    });
    expect([outcome._tag, runs]).toEqual(['Right', 3]);
    expect(await records.serviceRequests.history('order')).toHaveLength(1);
    runs = 0;
    const { outcome: contended } = await ended(async (tx) => {
      runs += 1;
      await tx.chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'mine' }, by);
      await update(`${runs}`);
    });
    expect(contended).toMatchObject({ left: { _tag: 'StoreFailure', issues: [{ rule: 'too-contended' }] } });
    expect(runs).toBe(5);
  });

  test('two calls at once are decided one on the other', async () => {
    await clinic().records.transaction(async (tx) => {
      await Promise.all([
        tx.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', { role: cardiologist }),
        tx.careTeams.setParticipantStatus('amy', 'Organization/lab', 'active'),
      ]);
    });
    expect((await clinic().records.careTeams.read('amy')).participant).toHaveLength(2);
  });

  test('refuses by name what cannot be part of it, and everything after its end', async () => {
    const { records } = clinic();
    let late: TransactionRecords | undefined;
    const refused: string[] = [];
    await records.transaction(async (tx) => {
      late = tx;
      const all = tx as unknown as ClinicalRecords;
      const calls = {
        'corrections.erase': () => all.corrections.erase({} as never),
        'importer.load': () => all.importer.load([]),
        'exporter.resources': () => all.exporter.everything('amy'),
        feedEnd: () => all.feedEnd(),
        transaction: () => all.transaction(async () => {}),
        in: () => all.in({} as never),
      };
      for (const [name, call] of Object.entries(calls))
        try {
          await call();
        } catch (thrown) {
          if (String(thrown).includes('Misuse')) refused.push(name);
        }
    });
    expect(refused).toEqual([
      'corrections.erase',
      'importer.load',
      'exporter.resources',
      'feedEnd',
      'transaction',
      'in',
    ]);
    const over = { left: { _tag: 'Misuse', issues: [{ message: expect.stringContaining('is over') }] } };
    expect(await outcomeOf((late as TransactionRecords).goals.read('x'))).toMatchObject(over);
    expect(await outcomeOf((late as TransactionRecords).chart.record(goal(), by))).toMatchObject(over);
    expect(() => late?.write(() => {})).toThrow('after the end');
  });
});

describe('a search in a transaction that has written', () => {
  test('is refused by name if it would read more than a thousand matches', async () => {
    const { createMemoryStore } = await import('@clinical-records/store-memory');
    const inner: ClinicalStore = createMemoryStore();
    const store: ClinicalStore = {
      ...inner,
      search: async (query) => {
        const page = await inner.search(query);
        return page._tag === 'Left' || query.count < 1000
          ? page
          : { ...page, right: { ...page.right, hasMore: true } };
      },
    };
    const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
    await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
    const outcome = await outcomeOf(
      records.transaction(async (tx) => {
        await tx.goals.search({});
        await tx.chart.record(goal(), by);
        await tx.goals.search({});
      }),
    );
    expect(outcome).toMatchObject({
      left: { _tag: 'Misuse', issues: [{ message: expect.stringContaining('at most a thousand matches') }] },
    });
  });
});
