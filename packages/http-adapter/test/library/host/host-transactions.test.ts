import { AsyncLocalStorage } from 'node:async_hooks';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import type { ClinicalRecords } from '@clinical-records/core';
import { toEithers, toTaskEithers } from '@clinical-records/core/fp-ts';
import {
  fromKnex,
  fromKysely,
  fromSqlite,
  fromTypeOrm,
  inTransaction,
  openSqliteStore,
} from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  ada,
  enteredInError,
  goal,
  immunizationStatement,
  labOrder,
  statement,
  team,
} from '../../builders.ts';
import { type Clinic, createRecords, openClinic, readFeed } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { sourcePatient } from '../importer/source-resources.ts';

const inAnotherRequest = AsyncLocalStorage.snapshot();

let folder: string;
let database: Database.Database;
let clinic: Clinic;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'clinical-records-'));
  database = new Database(join(folder, 'clinic.db'));
  database.exec('PRAGMA journal_mode = WAL; CREATE TABLE visits (name TEXT)');
  clinic = await openClinic(openSqliteStore({ database, prefix: 'clinical_' }));
});

afterEach(async () => {
  const { discrepancies, miscounted } = await clinic.records.verify();
  await clinic.store.close();
  database.close();
  rmSync(folder, { recursive: true });
  expect([discrepancies, miscounted]).toEqual([[], []]);
});

const by = { by: 'Practitioner/ada' } as const;
const visits = () => database.prepare('SELECT count(*) FROM visits').pluck().get();
const addVisit = () => database.exec("INSERT INTO visits VALUES ('one')");
const rollbackError = new Error('the host thinks better of it');

/** Values that a host may pass by mistake, each with the beginning of the sentence that says what to pass. */
const mistakes: readonly (readonly [what: string, pass: () => unknown, sentence: string])[] = [
  ['nothing', () => clinic.records.in(undefined as never), 'argument of in must be what fromKysely(trx)'],
  [
    'a transaction of a tool',
    () => clinic.records.in({ executeQuery: () => {} } as never),
    'argument of in must be',
  ],
  ['a handle', () => clinic.records.in(database as never), 'argument of in must be what fromKysely(trx)'],
  ['nothing to fromKysely', () => fromKysely(undefined as never), 'fromKysely needs a transaction of Kysely'],
  ['a handle to fromKnex', () => fromKnex(database as never), 'fromKnex needs a transaction of Knex'],
  ['a handle to fromTypeOrm', () => fromTypeOrm(database as never), 'fromTypeOrm needs an entity manager'],
  ['the records to fromSqlite', () => fromSqlite(clinic.records as never), 'fromSqlite needs the handle'],
];

test.each(mistakes)('%s instead of a transaction is a Misuse that says what to pass', (_, pass, sentence) => {
  expect(pass).toThrow(
    expect.objectContaining({ tag: 'Misuse', message: expect.stringContaining(` ${sentence}`) }),
  );
});

test('the records instead of a handle to inTransaction are a Misuse', async () => {
  await expect(inTransaction(clinic.records as never, async () => {})).rejects.toMatchObject({
    tag: 'Misuse',
    message: expect.stringContaining('inTransaction needs the handle of the store'),
  });
});

/** POSTs over HTTP, one after the other until something has ended. Returns the ids of those with a 201. */
const postUntil = async (end: Promise<unknown>): Promise<readonly string[]> => {
  let hasEnded = false;
  void end.then(() => {
    hasEnded = true;
  });
  const ids: string[] = [];
  while (!hasEnded) {
    const { status, headers } = await clinic.post('/Immunization', statement());
    expect(status).toBe(201);
    ids.push(headers.location?.split('/').at(-1) ?? '');
  }
  return ids;
};

const expectAllThere = async (ids: readonly string[]) => {
  for (const id of ids) expect((await clinic.get(`/Immunization/${id}`)).status).toBe(200);
};

describe('a rollback of the host does not undo a write that was reported to others', () => {
  test('in inTransaction', async () => {
    const undone = Array.from({ length: 20 }, () =>
      inTransaction(database, async (tx) => {
        addVisit();
        await clinic.records.in(tx).chart.record(labOrder(), by);
        await setImmediate();
        throw rollbackError;
      }).catch((cause) => cause),
    );
    const posted = await postUntil(Promise.all(undone));
    expect(await Promise.all(undone)).toEqual(undone.map(() => rollbackError));
    expect(posted.length).toBeGreaterThan(1);
    await expectAllThere(posted);
    expect(visits()).toBe(0);
    expect((await clinic.get('/ServiceRequest')).json.total).toBe(0);
  });

  test('in a transaction that the host has begun by itself', async () => {
    const undoing = async () => {
      for (let round = 0; round < 20; round += 1) {
        const posted = clinic.post('/Immunization', statement());
        database.exec("BEGIN; INSERT INTO visits VALUES ('one')");
        await setImmediate();
        database.exec('ROLLBACK');
        await posted;
      }
    };
    await expectAllThere(await postUntil(undoing()));
    expect(visits()).toBe(0);
  });
});

test('writes that join a transaction are read in it at once, and by others once it has ended', async () => {
  const others: Promise<unknown>[] = [];
  const id = await inTransaction(database, async (tx) => {
    addVisit();
    const inside = clinic.records.in(tx);
    const { resourceId } = await inside.chart.record(labOrder(), by);
    expect(await inside.serviceRequests.read(resourceId)).toMatchObject({ status: 'active' });
    expect(await inside.serviceRequests.search({})).toMatchObject({ total: 1 });
    expect((await inside.serviceRequests.all({ patient: 'amy' }).next()).value?.id).toBe(resourceId);
    others.push(inAnotherRequest(() => clinic.get(`/ServiceRequest/${resourceId}`)));
    return resourceId;
  });
  expect(visits()).toBe(1);
  expect(await Promise.all(others)).toMatchObject([{ status: 200, json: { id } }]);
});

describe('a call of the records in a transaction that still runs when the work ends', () => {
  test.each<readonly [name: string, (inside: ClinicalRecords) => Promise<unknown>]>([
    ['immunizations.create', ({ immunizations }) => immunizations.create(statement())],
    ['immunizations.asJson.create', ({ immunizations }) => immunizations.asJson.create(statement())],
    ['goals.read', ({ goals }) => goals.read('none')],
    ['directory.put', (inside) => toEithers(inside).directory.put('Organization', { id: 'x', name: 'X' })],
    ['chart.record', (inside) => toTaskEithers(inside).chart.record(labOrder(), by)()],
    ['feedEnd', ({ feedEnd }) => feedEnd()],
  ])('rolls it back, and is named: %s', async (name, call) => {
    const feed = await clinic.feed();
    const undone = inTransaction(database, async (tx) => {
      addVisit();
      await clinic.records.in(tx).chart.record(goal(), by);
      void call(clinic.records.in(tx));
    });
    await expect(undone).rejects.toThrow(`A call was not awaited: ${name}.`);
    expect(visits()).toBe(0);
    expect(await clinic.feed()).toEqual(feed);
  });

  test('is named once, beside the others', async () => {
    const undone = inTransaction(database, async (tx) => {
      const { goals, chart } = clinic.records.in(tx);
      void Promise.all([goals.read('a'), goals.read('b'), chart.record(goal(), by)]).catch(() => {});
    });
    await expect(undone).rejects.toThrow('A call was not awaited: goals.read, chart.record.');
  });

  test('is never an unhandled rejection, nor is one that has ended before', async () => {
    const unhandled: unknown[] = [];
    const keep = (reason: unknown) => unhandled.push(reason);
    process.on('unhandledRejection', keep);
    await inTransaction(database, async (tx) => {
      void clinic.records.in(tx).goals.read('none');
      await setImmediate();
    });
    const undone = inTransaction(database, async (tx) => void clinic.records.in(tx).goals.read('none'));
    await expect(undone).rejects.toThrow('goals.read');
    await setImmediate();
    process.off('unhandledRejection', keep);
    expect(unhandled).toEqual([]);
  });

  test('is not what the host sees if the work has failed', async () => {
    const undone = inTransaction(database, async (tx) => {
      void clinic.records.in(tx).chart.record(goal(), by);
      throw rollbackError;
    });
    await expect(undone).rejects.toBe(rollbackError);
  });
});

test('calls that are awaited together, and a rejection that the host has caught, let a transaction commit', async () => {
  await inTransaction(database, async (tx) => {
    addVisit();
    const { chart, immunizations } = clinic.records.in(tx);
    const refused = immunizations.create({ ...statement(), patient: { reference: 'Patient/nobody' } });
    await expect(refused).rejects.toMatchObject({ tag: 'RuleViolation' });
    await Promise.all([chart.record(labOrder(), by), chart.record(goal(), by)]);
  });
  expect(visits()).toBe(1);
  expect((await clinic.records.serviceRequests.search({})).total).toBe(1);
});

/** Each function that writes, called on records that would take it. */
const writes: readonly (readonly [string, (records: ClinicalRecords) => Promise<unknown>])[] = [
  ['chart.stage', ({ chart }) => chart.stage(labOrder())],
  ['chart.record', ({ chart }) => chart.record(labOrder(), by)],
  ['chart.commit', ({ chart }) => chart.commit('Goal/walk/1', by)],
  ['chart.completeOrder', ({ chart }) => chart.completeOrder('ServiceRequest/order/0', by)],
  ['chart.reopenOrder', ({ chart }) => chart.reopenOrder('ServiceRequest/done/0', by)],
  ['chart.asJson.create', ({ chart }) => chart.asJson.create(labOrder())],
  ['chart.asJson.step', ({ chart }) => chart.asJson.step('Goal/walk/1', 'commit', {}, by)],
  ['chart.discard', ({ chart }) => chart.discard('Goal/walk/1', by)],
  ['chart.enterInError', ({ chart }) => chart.enterInError('Goal/walk/0', by)],
  ['careTeams.update', ({ careTeams }) => careTeams.update('amy', team())],
  ['careTeams.asJson.update', ({ careTeams }) => careTeams.asJson.update('amy', team())],
  [
    'careTeams.setParticipantStatus',
    ({ careTeams }) => careTeams.setParticipantStatus('amy', 'Organization/home', 'proposed'),
  ],
  [
    'careTeams.asJson.setParticipantStatus',
    ({ careTeams }) =>
      careTeams.asJson.setParticipantStatus('amy', { member: 'Organization/home', status: 'proposed' }),
  ],
  ['careTeams.removeAllParticipants', ({ careTeams }) => careTeams.removeAllParticipants('amy')],
  ['immunizations.create', ({ immunizations }) => immunizations.create(statement())],
  ['immunizations.asJson.create', ({ immunizations }) => immunizations.asJson.create(statement())],
  ['immunizations.update', ({ immunizations }) => immunizations.update('given', enteredInError('given'))],
  [
    'immunizations.asJson.update',
    ({ immunizations }) => immunizations.asJson.update('given', enteredInError('given')),
  ],
  [
    'directory.put',
    ({ directory }) => directory.put('Patient', { id: 'amy', lastName: 'Stone', firstName: '' }),
  ],
  ['importer.load', ({ importer }) => importer.load([sourcePatient('new')])],
];

describe('a write that is called in a synchronous transaction of better-sqlite3', () => {
  const prepare = async () => {
    await clinic.record(labOrder({ id: 'order' }));
    await clinic.completeOrder((await clinic.record(labOrder({ id: 'done' }))).id);
    await clinic.record(goal());
    await clinic.stage({ kind: 'updateGoal', goalId: 'walk', progress: 'Half a mile' });
    await clinic.record(immunizationStatement({ id: 'given' }));
    await clinic.records.careTeams.update('amy', team(ada));
  };

  test('can be any function that writes', () => {
    const { chart, careTeams, immunizations, directory, importer } = clinic.records;
    const all = { chart, careTeams, immunizations, directory, importer };
    const reads = [
      ...['read', 'search', 'all', 'history', 'readVersion', 'historyBundle', 'readResource'],
      ...['commandsOf', 'asJson'],
    ];
    const functions = Object.entries(all).flatMap(([part, of]) => [
      ...Object.keys(of).map((name) => [part, name]),
      ...('asJson' in of ? Object.keys(of.asJson).map((name) => [`${part}.asJson`, name]) : []),
    ]);
    const expected = functions.filter(([, name = '']) => !reads.includes(name)).map((path) => path.join('.'));
    expect(writes.map(([name]) => name).toSorted()).toEqual(expected.toSorted());
  });

  test.each(writes)('is refused, names the alternative, and changes nothing: %s', async (_, write) => {
    await prepare();
    const before = await clinic.feed();
    const pending = database.transaction(() => {
      addVisit();
      return [outcomeOf(write(clinic.records))];
    })();
    expect(await Promise.all(pending)).toMatchObject([
      {
        left: {
          _tag: 'Misuse',
          issues: [{ message: expect.stringContaining('Use records.transaction') }],
        },
      },
    ]);
    expect(visits()).toBe(1);
    expect(await readFeed(clinic.store)).toEqual(before);
    expect(await outcomeOf(write(clinic.records))).toMatchObject({ _tag: 'Right' });
    expect((await readFeed(clinic.store)).length).toBeGreaterThan(before.length);
  });
});

test('a rule of the host cannot write on records.in(tx), in whose transaction it is asked', async () => {
  let written: Awaited<ReturnType<typeof outcomeOf>> | undefined;
  let on: ClinicalRecords | undefined;
  const records = createRecords(clinic.store, {
    rules: {
      Immunization: async () => {
        written = await outcomeOf((on as ClinicalRecords).chart.record(goal(), by));
        return [];
      },
    },
  });
  await inTransaction(database, async (tx) => {
    on = records.in(tx);
    await on.immunizations.create(statement(), by);
    await on.chart.record(goal({ id: 'run' }), by);
  });
  const message = expect.stringContaining('A rule only reads');
  expect(written).toMatchObject({ left: { _tag: 'Misuse', cause: { message } } });
  const { entry = [] } = await clinic.records.goals.search({ patient: 'amy' });
  expect(entry.map(({ resource }) => resource.id)).toEqual(['run']);
});
