import type { RecordErasure } from '@clinical-records/core';
import { erasedState, type FeedEntry, orThrow } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import { describe, expect, test } from 'vitest';
import { ada, bob, enteredInError, goal, immunize, labOrder, statement, team } from '../../builders.ts';
import { type Clinic, createHandler, createRecords, createSender, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const why = { by: 'Practitioner/cyd', reason: 'The patient asked for it.' } as const;

/** Fills the chart of a patient with texts that say so, and one record of another patient. */
const fill = async ({ record, stage, post, records }: Clinic): Promise<void> => {
  await record(goal({ description: 'Secret goal' }));
  await record({ kind: 'updateGoal', goalId: 'walk', progress: 'Secret progress' });
  await stage(goal({ id: 'staged', description: 'Secret plan' }));
  await record(labOrder({ id: 'order', patientInstruction: 'Secret instruction' }));
  await record(immunize({ lotNumber: 'Secret lot' }));
  await post('/Immunization', statement(), { headers: { 'idempotency-key': 'k' } });
  await records.directory.put('Note', { id: 'note-amy', patientId: 'amy', title: 'Secret title' });
  await records.careTeams.update('amy', team(ada, bob));
  await records.careTeams.update('amy', team(ada));
  await record(goal({ id: 'bens', patientId: 'ben' }));
};

const readAll = async ({ store }: Pick<Clinic, 'store'>): Promise<string> => {
  const range = { limit: 10_000 };
  return JSON.stringify([await orThrow(store.changesSince(range)), await orThrow(store.scan(range))]);
};

onEveryStore('records.corrections.erase', (clinic) => {
  const erase = async (resourceType: RecordErasure['resourceType'], resourceId: string) =>
    clinic().records.corrections.erase({ resourceType, resourceId, ...why });

  describe('of a resource', () => {
    test('no version of it can be read or found, and its content is gone', async () => {
      await fill(clinic());
      await erase('Goal', 'walk');
      const { get } = clinic();
      for (const path of ['/Goal/walk', '/Goal/walk/_history', '/Goal/walk/_history/1']) {
        expect((await get(path)).status).toBe(404);
      }
      expect(idsOf(await get('/Goal?patient=amy'))).toEqual([]);
      expect(idsOf(await get('/Goal?description=Secret%20goal'))).toEqual([]);
      expect((await get('/Provenance?target=Goal/walk')).json.entry).toBe(undefined);
      expect(await readAll(clinic())).not.toMatch(/Secret goal|Secret progress/);
      expect(await readAll(clinic())).toMatch(/Secret plan/);
    });

    test('the history still says when there were versions, by whom, and that they were erased', async () => {
      await fill(clinic());
      const before = await clinic().records.goals.history('walk');
      const correction = await erase('Goal', 'walk');
      const after = await clinic().records.goals.history('walk');
      expect(after).toEqual([
        { version: 3, at: correction.at, by: why.by, resource: null },
        ...before.map((version) => ({ ...version, resource: null })),
      ]);
      expect(correction).toMatchObject({
        ...{ kind: 'erasure', patientId: 'amy', toPatientId: null, ...why },
        records: [
          { type: 'Goal', id: 'walk', version: 3 },
          { type: 'Command', id: 'Goal.walk.0', version: 2 },
          { type: 'Command', id: 'Goal.walk.1', version: 2 },
        ],
      });
      const of = clinic().records.corrections.of({ resourceType: 'Goal', resourceId: 'walk' });
      expect(await of).toEqual([correction]);
    });

    test('it is not dated before the last version, even if the clock was set back', async () => {
      await clinic().record(goal());
      const [last] = await clinic().records.goals.history('walk');
      clinic().clock.at('2020-01-01T00:00:00Z');
      await erase('Goal', 'walk');
      const [erased] = await clinic().records.goals.history('walk');
      expect(erased).toEqual({ version: 2, at: last?.at, by: why.by, resource: null });
    });

    test('the idempotency key of its create is erased with it, and a retry does not bring it back', async () => {
      const create = () =>
        clinic().post('/Immunization', statement(), { headers: { 'idempotency-key': 'k' } });
      const id = (await create()).headers.location?.split('/').at(-1) ?? '';
      const correction = await erase('Immunization', id);
      const types = correction.records.map(({ type }) => type);
      expect(types.toSorted()).toEqual(['IdempotencyKey', 'Immunization']);
      const retried = await create();
      expect([retried.status, retried.json.issue[0].details.coding[0].code]).toEqual([422, 'erased']);
      expect(idsOf(await clinic().get('/Immunization?patient=amy'))).toEqual([]);
    });

    test.each(['Goal', 'Patient'] as const)(
      'the key is erased, too, after the resource was moved to another chart: of the type %s',
      async (type) => {
        const { records } = clinic();
        const send = createSender(createHandler(records, { chartCommands: true }));
        const headers = { 'idempotency-key': 'k' };
        const body = goal({ id: undefined });
        const create = () => send('POST', '/commands', { body, headers });
        const { headers: created } = await create();
        const [id = ''] = created.location?.match(/(?<=Goal\/)[^/]+/) ?? [];
        await records.corrections.moveToPatient({
          ...{ resourceType: 'Goal', resourceId: id, toPatientId: 'ben', ...why },
        });
        const { records: erased } = await erase(type, type === 'Goal' ? id : 'ben');
        expect(erased.map((record) => record.type)).toContain('IdempotencyKey');
        const retried = await create();
        expect([retried.status, retried.json.issue[0].details.coding[0].code]).toEqual([422, 'erased']);
      },
    );

    test('the feed reports the erasure for each of its versions', async () => {
      await fill(clinic());
      await erase('Goal', 'walk');
      const seen: unknown[] = [];
      for await (const { id, version, resource, isErased } of clinic().records.changes()) {
        if (id === 'walk') seen.push([version, resource, isErased]);
      }
      expect(seen).toEqual([1, 2, 3].map((version) => [version, null, true]));
    });

    test.each<readonly [string, string, () => Promise<unknown>]>([
      ['a new one of the id', 'erased', async () => clinic().record(goal())],
      ['an update', 'unknown-goal', async () => clinic().record({ kind: 'updateGoal', goalId: 'walk' })],
      ['a step of its command', 'not-found', async () => clinic().enterInError('Goal/walk/0')],
      [
        'a move',
        'not-found',
        async () =>
          clinic().records.corrections.moveToPatient({
            ...{ resourceType: 'Goal', resourceId: 'walk', toPatientId: 'ben', ...why },
          }),
      ],
      ['an erasure', 'not-found', () => erase('Goal', 'walk')],
    ])('%s is refused: %s', async (_, rule, write) => {
      await clinic().record(goal());
      await erase('Goal', 'walk');
      await expect(write()).rejects.toMatchObject({ issues: [{ rule }] });
    });

    test('an update over HTTP is answered as for an unknown id', async () => {
      await clinic().record(immunize({ kind: 'immunizationStatement' }));
      await erase('Immunization', 'shot');
      expect((await clinic().put('/Immunization/shot', enteredInError())).status).toBe(405);
    });

    test('an import does not bring it back', async () => {
      await clinic().record(goal());
      await erase('Goal', 'walk');
      const source = { resourceType: 'Goal', id: 'walk', lifecycleStatus: 'active' };
      const report = await clinic().records.importer.load([
        { ...source, description: { text: 'Secret goal' }, subject: { reference: 'Patient/amy' } },
      ]);
      expect(report.issues.map(({ rule }) => rule)).toEqual(['erased']);
      expect(await readAll(clinic())).not.toMatch(/Secret/);
    });
  });

  describe('of a patient', () => {
    test('nothing of the chart or the name remains, and other charts are as they were', async () => {
      await fill(clinic());
      await erase('Patient', 'amy');
      expect(await readAll(clinic())).not.toMatch(/Secret|Shaw|Amy/);
      const { get } = clinic();
      for (const path of ['/CareTeam/amy', '/CareTeam/amy.inactive', '/Patient/amy', '/Immunization/shot']) {
        expect((await get(path)).status).toBe(404);
      }
      for (const type of ['Goal', 'ServiceRequest', 'Immunization', 'CareTeam']) {
        expect(idsOf(await get(`/${type}?patient=amy`))).toEqual([]);
      }
      expect(idsOf(await get('/Goal'))).toEqual(['bens']);
      expect(await clinic().records.directory.read('Patient', 'amy')).toBe(null);
      expect(await clinic().records.directory.read('Note', 'note-amy')).toBe(null);
    });

    test('the histories of the team have versions without content', async () => {
      await fill(clinic());
      await erase('Patient', 'amy');
      for (const [id, count] of [
        ['amy', 4],
        ['amy.inactive', 2],
      ] as const) {
        const versions = await clinic().records.careTeams.history(id);
        expect(versions.map(({ resource }) => resource)).toEqual(Array(count).fill(null));
      }
    });

    test.each<readonly [string, string, () => Promise<unknown>]>([
      ['a goal', 'unknown-patient', async () => clinic().record(goal())],
      ['an update of the team', 'not-found', async () => clinic().records.careTeams.update('amy', team(ada))],
      [
        'the patient',
        'erased',
        async () => clinic().records.directory.put('Patient', { id: 'amy', lastName: 'Shaw' }),
      ],
      [
        'a merge',
        'unknown-patient',
        async () =>
          clinic().records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why }),
      ],
    ])('a write of %s is refused: %s', async (_, rule, write) => {
      await erase('Patient', 'amy');
      await expect(write()).rejects.toMatchObject({ issues: [{ rule }] });
    });

    test('an import of the patient does not bring the name back', async () => {
      await erase('Patient', 'amy');
      const patient = { resourceType: 'Patient', id: 'amy', name: [{ family: 'Shaw' }] };
      const report = await clinic().records.importer.load([patient]);
      expect(report.issues.map(({ rule }) => rule)).toEqual(['erased']);
      expect(await readAll(clinic())).not.toMatch(/Shaw/);
    });

    test('an export that begins later, or has begun before, has nothing of the patient', async () => {
      await fill(clinic());
      const { exporter } = clinic().records;
      const begun = await exporter.begin();
      await erase('Patient', 'amy');
      for (const { resources } of [begun, await exporter.begin()]) {
        const exported: string[] = [];
        for await (const { type, id, patientId } of resources) {
          if (patientId !== null) exported.push(`${type}/${id}`);
        }
        expect(exported.toSorted()).toEqual(['Encounter/visit-ben', 'Goal/bens', 'Patient/ben']);
      }
    });

    test('the host is not asked for the patient again', async () => {
      await erase('Patient', 'amy');
      const asked: string[] = [];
      const records = createRecords(clinic().store, {
        resolve: (_, id) => {
          asked.push(id);
          return { id, lastName: 'Shaw' };
        },
      });
      await expect(async () => records.careTeams.read('amy')).rejects.toMatchObject({ tag: 'NotFound' });
      expect((await records.careTeams.search({ patient: 'amy' })).total).toBe(0);
      expect(asked).toEqual([]);
    });

    test('a merge of another patient into one with erased records, and of their own, still works', async () => {
      await fill(clinic());
      await erase('Goal', 'walk');
      await clinic().records.corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why });
      expect(idsOf(await clinic().get('/Goal?patient=ben'))).toEqual(['bens']);
      await erase('Patient', 'ben');
      await erase('Patient', 'amy');
      expect(await readAll(clinic())).not.toMatch(/Secret|Shaw|Okoro/);
    });
  });

  test.each([
    [{ resourceType: 'CareTeam' }, 'value at Correction.resourceType'],
    [{ resourceId: 'none' }, 'not-found at undefined'],
    [{ by: undefined }, 'required at Correction.by'],
  ])('an erasure that cannot be made is refused: %j', async (wrong, expected) => {
    const erasure = { resourceType: 'Goal', resourceId: 'walk', ...why, ...wrong };
    const refused = await outcomeOf(clinic().records.corrections.erase(erasure as RecordErasure));
    const issues = 'left' in refused ? refused.left.issues : [];
    expect(issues.map(({ rule, expression }) => `${rule} at ${expression}`)).toEqual([expected]);
  });

  test('a change of the record during the erasure is erased, too', async () => {
    await clinic().record(goal());
    const update = { kind: 'updateGoal', goalId: 'walk', progress: 'Secret progress' } as const;
    await Promise.allSettled([erase('Goal', 'walk'), clinic().record(update)]);
    expect(await readAll(clinic())).not.toMatch(/Secret/);
  });
});

test('a copy has erased versions as erased, and an older copy erases what it has', async () => {
  const clinic = await openClinic(createMemoryStore());
  await fill(clinic);
  const older = createMemoryStore();
  await clinic.records.copyTo(older);
  expect(await readAll({ store: older })).toMatch(/Secret goal/);
  await clinic.records.corrections.erase({ resourceType: 'Patient', resourceId: 'amy', ...why });
  const newer = createMemoryStore();
  for (const target of [older, newer]) {
    const { head } = await clinic.records.copyTo(target);
    expect(await readAll({ store: target })).not.toMatch(/Secret|Shaw/);
    const verified = await createRecords(target).verify({ head });
    expect([verified.discrepancies, verified.isHeadMissing]).toEqual([[], false]);
  }
});

test('verify reports a version that was made to look erased, and no correction says so', async () => {
  const store = createMemoryStore();
  const clinic = await openClinic(store);
  await clinic.record(goal());
  await clinic.record(goal({ id: 'other' }));
  await clinic.records.corrections.erase({ resourceType: 'Goal', resourceId: 'walk', ...why });
  const { records } = await openClinic({
    ...store,
    changesSince: async (range) => {
      const read = await store.changesSince(range);
      if (read._tag === 'Left') return read;
      const hide = (entry: FeedEntry): FeedEntry =>
        entry.id === 'other' ? { ...entry, state: erasedState('0'.repeat(64)), resource: null } : entry;
      return { ...read, right: read.right.map(hide) };
    },
  });
  const { discrepancies } = await records.verify();
  expect(discrepancies).toEqual(
    ['digest', 'erasure'].map((what) => ({ type: 'Goal', id: 'other', version: 1, what })),
  );
});
