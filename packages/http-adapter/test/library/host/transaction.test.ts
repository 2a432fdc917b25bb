import { AsyncLocalStorage } from 'node:async_hooks';
import type { ClinicalRecords, TransactionRecords } from '@clinical-records/core';
import { createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { describe, expect, test } from 'vitest';
import { ada, bob, goal, immunize, labOrder, statement, team } from '../../builders.ts';
import { cardiologist, createRecords, extensionBase, readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

const by = { by: 'Practitioner/ada' } as const;
const betterNot = new Error('the host thinks better of it');

/** Calls a function as another request does, which no transaction has begun. */
const inAnotherRequest = AsyncLocalStorage.snapshot();

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
      inAnotherRequest(() =>
        records.chart.record({ kind: 'updateGoal', goalId: 'walk', progress: text }, by),
      );
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

  const progress = (text: string) => ({ kind: 'updateGoal', goalId: 'walk', progress: text }) as const;
  const role = { role: cardiologist };

  /** A read of the callback, a write of another request after it, and a write of the callback after both. */
  const crossings: Readonly<
    Record<
      string,
      Readonly<
        Record<
          'read' | 'other' | 'write',
          (on: Pick<ClinicalRecords, keyof TransactionRecords & keyof ClinicalRecords>) => Promise<unknown>
        >
      >
    >
  > = {
    'a command of a goal': {
      read: (on) => on.goals.read('walk'),
      other: (on) => on.chart.record(progress('theirs'), by),
      write: (on) => on.chart.record(progress('mine'), by),
    },
    'a staged command of a goal': {
      read: (on) => on.goals.history('walk'),
      other: (on) => on.chart.stage(progress('theirs')),
      write: (on) => on.chart.stage(progress('mine')),
    },
    'a step': {
      read: (on) => on.serviceRequests.read('draft'),
      other: (on) => on.chart.commit('ServiceRequest/draft/0', by),
      write: (on) => on.chart.completeOrder('ServiceRequest/draft/0', by),
    },
    'an update of a team': {
      read: (on) => outcomeOf(on.careTeams.read('amy.inactive')),
      other: (on) => on.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'inactive', role),
      write: (on) => on.careTeams.update('amy', team(ada)),
    },
    'the status of a participant': {
      read: (on) => outcomeOf(on.careTeams.read('amy.inactive')),
      other: (on) => on.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'inactive', role),
      write: (on) => on.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'active', role),
    },
    'an end of a team': {
      read: (on) => outcomeOf(on.careTeams.read('amy.inactive')),
      other: (on) => on.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'inactive', role),
      write: (on) => on.careTeams.removeAllParticipants('amy'),
    },
    'an immunization': {
      read: (on) => outcomeOf(on.immunizations.read('shot')),
      other: (on) => on.chart.record(immunize(), by),
      write: (on) => on.chart.enterInError('Immunization/shot/0', by),
    },
    'a create with a key': {
      read: (on) => outcomeOf(on.careTeams.read('amy')),
      other: (on) => on.careTeams.setParticipantStatus('amy', 'Practitioner/bob', 'active', role),
      write: (on) => on.immunizations.create(statement(), { ...by, idempotencyKey: 'once' }),
    },
    'an entry of the directory': {
      read: (on) => on.directory.read('Encounter', 'new'),
      other: async (on) => {
        await on.directory.put('Encounter', { id: 'new', patientId: 'amy' });
        await on.directory.put('Note', { id: 'of-new', patientId: 'amy', encounterId: 'new' });
      },
      write: (on) => on.directory.put('Note', { id: 'of-new', patientId: 'amy', title: 'Mine' }),
    },
  };

  test.each(Object.entries(crossings))(
    'runs the callback again for %s after a write that it did not see',
    async (_, { read, other, write }) => {
      const { records } = clinic();
      await records.chart.record(goal(), by);
      await records.chart.stage(labOrder({ id: 'draft' }));
      let runs = 0;
      const { outcome } = await ended(async (tx) => {
        runs += 1;
        await read(tx);
        if (runs === 1) await inAnotherRequest(() => other(records));
        await write(tx);
      });
      expect([outcome, runs]).toEqual([{ _tag: 'Right', right: undefined }, 2]);
    },
  );

  test('gives up after five runs if each of them fails on what another request has just written', async () => {
    const { records } = clinic();
    await records.chart.record(goal(), by);
    let runs = 0;
    const { outcome } = await ended(async (tx) => {
      runs += 1;
      await tx.goals.read('walk');
      await inAnotherRequest(() => records.chart.record(progress(`theirs ${runs}`), by));
      await tx.chart.record(progress('mine'), by);
    });
    expect(outcome).toMatchObject({ left: { _tag: 'StoreFailure', issues: [{ rule: 'too-contended' }] } });
    expect(runs).toBe(5);
    expect(await records.goals.history('walk')).toHaveLength(6);
  });

  test('runs a callback again that rejects though what it has read has changed, and not one whose reads are as they were', async () => {
    const { records } = clinic();
    await records.chart.record(goal(), by);
    let runs = 0;
    const { outcome } = await ended(async (tx) => {
      runs += 1;
      const { note = [] } = await tx.goals.read('walk');
      if (runs === 1) await inAnotherRequest(() => records.chart.record(progress('theirs'), by));
      if (note.length === 0) throw betterNot;
    });
    expect([outcome._tag, runs]).toEqual(['Right', 2]);
    runs = 0;
    const rejected = records.transaction(async (tx) => {
      runs += 1;
      await tx.goals.read('walk');
      await inAnotherRequest(() => records.chart.record(labOrder({ id: 'order' }), by));
      throw betterNot;
    });
    await expect(rejected).rejects.toBe(betterNot);
    expect(runs).toBe(1);
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

  const misuse = {
    left: { _tag: 'Misuse', issues: [{ message: expect.stringContaining('Call it on the tx') }] },
  };

  /** A write by each function of the records that writes. */
  const writes: Readonly<Record<string, (on: ClinicalRecords) => Promise<unknown>>> = {
    'chart.stage': (on) => on.chart.stage(labOrder()),
    'chart.commit': (on) => on.chart.commit('ServiceRequest/draft/0', by),
    'chart.record': (on) => on.chart.record(goal({ id: 'run' }), by),
    'chart.completeOrder': (on) => on.chart.completeOrder('ServiceRequest/order/0', by),
    'chart.reopenOrder': (on) => on.chart.reopenOrder('ServiceRequest/order/0', by),
    'chart.discard': (on) => on.chart.discard('ServiceRequest/draft/0', by),
    'chart.enterInError': (on) => on.chart.enterInError('ServiceRequest/order/0', by),
    'chart.asJson.create': (on) => on.chart.asJson.create(labOrder()),
    'chart.asJson.step': (on) => on.chart.asJson.step('ServiceRequest/draft/0', 'commit', {}, by),
    'immunizations.create': (on) => on.immunizations.create(statement(), by),
    'immunizations.update': (on) =>
      on.immunizations.update(
        'dose',
        { id: 'dose', ...statement({ status: 'entered-in-error' }) } as never,
        by,
      ),
    'immunizations.asJson.create': (on) => on.immunizations.asJson.create(statement(), by),
    'careTeams.update': (on) => on.careTeams.update('amy', team(ada)),
    'careTeams.asJson.update': (on) => on.careTeams.asJson.update('amy', team(ada)),
    'careTeams.setParticipantStatus': (on) =>
      on.careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', role),
    'careTeams.removeAllParticipants': (on) => on.careTeams.removeAllParticipants('amy'),
    'directory.put': (on) => on.directory.put('Organization', { id: 'new', name: 'New' }),
    'corrections.moveToPatient': (on) =>
      on.corrections.moveToPatient({
        ...{ resourceType: 'ServiceRequest', resourceId: 'order', toPatientId: 'ben' },
        ...{ ...by, reason: 'wrong chart' },
      }),
    'corrections.mergePatients': (on) =>
      on.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...by, reason: 'twice' }),
    'corrections.erase': (on) =>
      on.corrections.erase({ resourceType: 'Patient', resourceId: 'amy', ...by, reason: 'asked' }),
    'importer.load': (on) => on.importer.load([]),
    transaction: (on) => on.transaction(async () => {}),
  };

  const fill = async ({ chart, immunizations }: ClinicalRecords) => {
    await chart.stage(labOrder({ id: 'draft' }));
    await chart.record(labOrder({ id: 'order' }), by);
    await chart.record(goal(), by);
    return immunizations.create(statement(), by);
  };

  test.each(Object.entries(writes))(
    'refuses %s of the records themselves in the callback, and writes the rest',
    async (_, write) => {
      const { records } = clinic();
      await fill(records);
      let forgotten: unknown;
      const { outcome, versions } = await ended(async (tx) => {
        await tx.directory.put('Organization', { id: 'lab', name: 'Renamed' });
        forgotten = await outcomeOf(write(records));
      });
      expect(forgotten).toMatchObject(misuse);
      expect([outcome._tag, versions]).toEqual(['Right', 1]);
    },
  );

  test('reads the records themselves in the callback as they are stored', async () => {
    const { records } = clinic();
    await fill(records);
    await records.transaction(async (tx) => {
      await tx.chart.record(goal({ id: 'run' }), by);
      expect(await records.goals.search({ patient: 'amy' })).toMatchObject({ total: 1 });
      expect(await records.goals.history('walk')).toHaveLength(1);
      expect(await records.chart.search({ patient: 'amy' })).toMatchObject({ total: 3 });
      for await (const { id } of records.goals.all({})) expect(id).toBe('walk');
      expect(await records.verify()).toMatchObject({ discrepancies: [] });
    });
  });

  test('does not refuse a write of another request meanwhile, nor one that the callback has left behind', async () => {
    const { records } = clinic();
    let late = async (): Promise<unknown> => null;
    const put = (id: string) => records.directory.put('Organization', { id, name: id });
    await records.transaction(async () => {
      await inAnotherRequest(() => put('other'));
      late = AsyncLocalStorage.bind(() => put('late'));
    });
    await late();
    await expect(
      records.transaction(async () => {
        late = AsyncLocalStorage.bind(() => put('later'));
        throw betterNot;
      }),
    ).rejects.toBe(betterNot);
    await late();
    for (const id of ['other', 'late', 'later'])
      expect(await records.directory.read('Organization', id)).toMatchObject({ id });
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

describe('what the callback calls without its tx', () => {
  test('may be a read that asks the host and keeps the answer', async () => {
    const resolve = async (type: string, id: string) =>
      type === 'Patient' ? { id, lastName: 'Shaw' } : null;
    const records = createRecords(undefined, { resolve: resolve as never });
    await records.transaction(async () => {
      expect(await records.careTeams.read('amy')).toMatchObject({ id: 'amy' });
    });
    expect(await records.directory.read('Patient', 'amy')).toMatchObject({ lastName: 'Shaw' });
  });

  test('is on the records of another store, or of the same one', async () => {
    const { createMemoryStore } = await import('@clinical-records/store-memory');
    const store = createMemoryStore();
    const [records, same, other] = [createRecords(store), createRecords(store), createRecords()];
    const put = (on: ClinicalRecords) =>
      outcomeOf(on.directory.put('Organization', { id: 'lab', name: 'Lab' }));
    const written = await records.transaction(async () => [await put(same), await put(other)]);
    expect(written).toMatchObject([{ left: { _tag: 'Misuse' } }, { _tag: 'Right' }]);
  });

  test('is a write of its own on a store without a call context', async () => {
    const { createMemoryStore } = await import('@clinical-records/store-memory');
    const { callContext: _, ...store } = createMemoryStore();
    const records = createRecords(store);
    await records.transaction(() => records.directory.put('Organization', { id: 'lab', name: 'Lab' }));
    expect(await readFeed(store)).toHaveLength(1);
  });
});

test('a call that meets what another request has written does not decide again and again on the same reads', async () => {
  let decisions = 0;
  const clock = () => {
    decisions += 1;
    return new Date();
  };
  const records = createRecords(undefined, { clock });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron' });
  await records.chart.record(goal(), by);
  const update = (on: Pick<ClinicalRecords, 'chart'>) =>
    on.chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'x' }, by);
  let runs = 0;
  await records.transaction(async (tx) => {
    runs += 1;
    await tx.goals.read('walk');
    if (runs === 1) await inAnotherRequest(() => update(records));
    decisions = 0;
    await update(tx).finally(() => expect(decisions).toBeLessThan(4));
  });
  expect(runs).toBe(2);
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
