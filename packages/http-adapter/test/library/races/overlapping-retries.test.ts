import type { ClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';
import { describe, expect, test } from 'vitest';
import { goal, immunize, labOrder, statement } from '../../builders.ts';
import { createHandler, createRecords, createSender } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

const by = { by: 'Practitioner/ada' } as const;
const key = { idempotencyKey: 'k-1' } as const;
const sent = { ...by, ...key };

/** The store for a retry: once the retry has found that its key is unused, other work is done before anything else. */
const afterKeyLookup = (store: ClinicalStore, work: () => Promise<unknown>): ClinicalStore => {
  let hasRun = false;
  return {
    ...store,
    read: async (ref) => {
      const found = await store.read(ref);
      if (ref.type !== 'IdempotencyKey' || hasRun) return found;
      hasRun = true;
      await work();
      return found;
    },
  };
};

type Write = (on: ClinicalRecords) => Promise<unknown>;

/** Each write that takes a key, for which something is prepared. */
const writes: Readonly<Record<string, { readonly prepare?: Write; readonly write: Write }>> = {
  'stage, with an id': { write: ({ chart }) => chart.stage(goal(), sent) },
  'stage, with If-Match': {
    prepare: ({ chart }) => chart.record(goal(), by),
    write: ({ chart }) =>
      chart.stage({ kind: 'updateGoal', goalId: 'walk', progress: 'x' }, { ...sent, ifMatch: [1] }),
  },
  'record, with an id': { write: ({ chart }) => chart.record(labOrder({ id: 'order' }), sent) },
  'record, with If-Match': {
    prepare: ({ chart }) => chart.record(goal(), by),
    write: ({ chart }) =>
      chart.record({ kind: 'updateGoal', goalId: 'walk', progress: 'x' }, { ...sent, ifMatch: [1] }),
  },
  'record, of a close': {
    prepare: ({ chart }) => chart.record(goal(), by),
    write: ({ chart }) => chart.record({ kind: 'closeGoal', goalId: 'walk' }, sent),
  },
  commit: {
    prepare: ({ chart }) => chart.stage(labOrder({ id: 'order' })),
    write: ({ chart }) => chart.commit('ServiceRequest/order/0', sent),
  },
  'commit, with If-Match': {
    prepare: ({ chart }) => chart.stage(immunize()),
    write: ({ chart }) => chart.commit('Immunization/shot/0', { ...sent, ifMatch: [1] }),
  },
  completeOrder: {
    prepare: ({ chart }) => chart.record(labOrder({ id: 'order' }), by),
    write: ({ chart }) => chart.completeOrder('ServiceRequest/order/0', sent),
  },
  reopenOrder: {
    prepare: async ({ chart }) => {
      const { id } = await chart.record(labOrder({ id: 'order' }), by);
      await chart.completeOrder(id, by);
    },
    write: ({ chart }) => chart.reopenOrder('ServiceRequest/order/0', sent),
  },
  discard: {
    prepare: ({ chart }) => chart.stage(labOrder({ id: 'order' })),
    write: ({ chart }) => chart.discard('ServiceRequest/order/0', { ...sent, reason: 'twice' }),
  },
  'discard, with If-Match': {
    prepare: ({ chart }) => chart.stage(labOrder({ id: 'order' })),
    write: ({ chart }) => chart.discard('ServiceRequest/order/0', { ...sent, ifMatch: [1] }),
  },
  enterInError: {
    prepare: ({ chart }) => chart.record(goal(), by),
    write: ({ chart }) => chart.enterInError('Goal/walk/0', sent),
  },
  'enterInError, with If-Match': {
    prepare: ({ chart }) => chart.record(goal(), by),
    write: ({ chart }) => chart.enterInError('Goal/walk/0', { ...sent, ifMatch: [1] }),
  },
  'asJson.create': {
    prepare: ({ chart }) => chart.record(goal(), by),
    write: ({ chart }) => chart.asJson.create({ kind: 'closeGoal', goalId: 'walk', commit: true }, sent),
  },
  'asJson.step': {
    prepare: ({ chart }) => chart.stage(goal()),
    write: ({ chart }) => chart.asJson.step('Goal/walk/0', 'commit', {}, sent),
  },
  'immunizations.create': { write: ({ immunizations }) => immunizations.create(statement(), sent) },
  'immunizations.create, if none exists': {
    write: ({ immunizations }) => {
      const identifier = [{ system: 'urn:oid:1.2.3', value: 'A-1' }];
      return immunizations.create(statement({ identifier }), {
        ...{ ...sent, ifNoneExist: 'identifier=urn:oid:1.2.3|A-1' },
      });
    },
  },
};

onEveryStore('a retry that overlaps its first request', (clinic) => {
  const retry = async (write: Write, also: Write = async () => {}) => {
    const { records, store } = clinic();
    let first: unknown;
    const overlapped = createRecords(
      afterKeyLookup(store, async () => {
        first = await outcomeOf(write(records));
        await also(records);
      }),
    );
    const retried = await outcomeOf(write(overlapped));
    return { first, retried };
  };

  describe.each(Object.entries(writes))('of %s', (_, { prepare = async () => {}, write }) => {
    test('gets the response of the first request, and writes nothing', async () => {
      const { records, feed } = clinic();
      await prepare(records);
      let versions = 0;
      const { first, retried } = await retry(write, async () => {
        versions = (await feed()).length;
      });
      expect(first).toMatchObject({ _tag: 'Right' });
      expect(retried).toEqual(first);
      expect(await feed()).toHaveLength(versions);
    });

    test('gets it also if the patient was merged meanwhile', async () => {
      await prepare(clinic().records);
      const { first, retried } = await retry(write, ({ corrections }) =>
        corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...by, reason: 'twice' }),
      );
      expect(first).toMatchObject({ _tag: 'Right' });
      expect(retried).toEqual(first);
    });
  });

  test('is refused as a later retry is, if it has another body or the resource was erased', async () => {
    const { chart } = clinic().records;
    await chart.stage(labOrder({ id: 'order' }));
    await chart.stage(goal());
    const { retried } = await retry(
      ({ chart }) => chart.commit('ServiceRequest/order/0', sent),
      ({ corrections }) =>
        corrections.erase({ resourceType: 'ServiceRequest', resourceId: 'order', ...by, reason: 'asked' }),
    );
    expect(retried).toMatchObject({ left: { _tag: 'RuleViolation', issues: [{ rule: 'erased' }] } });
    const other = { ...sent, idempotencyKey: 'k-2' };
    const ids = ['Goal/walk/1', 'Goal/walk/0'];
    const { retried: reused } = await retry(({ chart }) => chart.commit(ids.shift() as string, other));
    expect(reused).toMatchObject({ left: { issues: [{ rule: 'idempotency-key-reused' }] } });
  });

  test('is refused for its own reason, if no request with its key was written', async () => {
    const { chart } = clinic().records;
    await chart.stage(goal());
    const staged = 'Goal/walk/0';
    const { retried } = await retry(
      ({ chart }) => chart.commit(staged, { ...sent, ifMatch: [7] }),
      ({ chart }) => chart.commit(staged, { ...by, idempotencyKey: 'another' }),
    );
    expect(retried).toMatchObject({ left: { _tag: 'PreconditionFailed' } });
  });

  test('gets it over HTTP', async () => {
    const { records, store } = clinic();
    await records.chart.stage(labOrder({ id: 'order' }));
    const headers = { 'idempotency-key': 'k-1', 'if-match': 'W/"1"', prefer: 'return=representation' };
    const commit = (on: ClinicalRecords) => {
      const send = createSender(createHandler(on, { chartCommands: true }));
      return send('POST', '/commands/ServiceRequest/order/0/commit', { headers });
    };
    let first: unknown;
    const overlapped = afterKeyLookup(store, async () => {
      first = await commit(records);
    });
    const retried = await commit(createRecords(overlapped));
    expect(retried.status).toBe(200);
    expect(retried).toEqual(first);
  });
});
