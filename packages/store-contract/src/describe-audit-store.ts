import { createHash } from 'node:crypto';
import { createAuditLog } from '@clinical-records/core';
import type { AuditEntry, AuditQuery, AuditStore, StoreError } from '@clinical-records/core/store';
import { type Either, isLeft } from 'fp-ts/lib/Either.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

/** How the tests open the store of an audit log. */
export type AuditStoreContractOptions = {
  /** The name of the store in the report. */
  readonly name: string;
  /** Opens a new, empty store. It is closed after each test. */
  readonly open: () => AuditStore | Promise<AuditStore>;
  /** Opens the same store again, as another process does; left out if it is gone with the first one. */
  readonly openAgain?: () => AuditStore | Promise<AuditStore>;
};

const entry = (fields: Partial<AuditEntry> = {}): AuditEntry => ({
  at: 1,
  by: 'Practitioner/ada',
  patientId: 'amy',
  access: '{}',
  ...fields,
});

const rightOf = <A>(outcome: Either<StoreError, A>): A => {
  if (isLeft(outcome)) throw new Error(`The store returned ${JSON.stringify(outcome.left)}.`);
  return outcome.right;
};

/**
 * Registers a vitest suite that checks every statement of the port: `AuditStore` of @clinical-records/core.
 *
 * @example
 * describeAuditStore({ name: 'memory', open: createMemoryAuditStore });
 */
export const describeAuditStore = ({ name, open, openAgain }: AuditStoreContractOptions): void => {
  describe(name, () => {
    let store: AuditStore;
    beforeEach(async () => {
      store = await open();
    });
    afterEach(async () => {
      // The test may have closed it.
      await store.close().catch(() => {});
    });
    const append = async (...entries: readonly AuditEntry[]) => rightOf(await store.append(entries));
    const scan = async (after = 0, limit = 100) => rightOf(await store.scan({ after, limit }));
    const positionsOf = async (query: Omit<AuditQuery, 'count'>, count = 100) =>
      rightOf(await store.search({ ...query, count })).map(({ position }) => position);
    const verify = async () => createAuditLog({ store }).verify();

    test('entries are returned as they were appended, with positions from 1', async () => {
      const texts = '{"query":"name=Ł\\u0000 😀"}';
      const entries = [
        entry({ access: texts }),
        entry({ at: 1_772_442_000_123, by: null, patientId: null }),
        entry({ by: "Device/o'neil", patientId: 'a-1.2' }),
      ];
      await append(...entries.slice(0, 2));
      await append(...entries.slice(2));
      expect(await scan()).toEqual(
        entries.map((appended, index) => ({
          ...appended,
          position: index + 1,
          digest: expect.stringMatching(/^[\da-f]{64}$/),
        })),
      );
    });

    test('nothing is appended by an empty list', async () => {
      await append();
      expect(await scan()).toEqual([]);
    });

    test('a scan continues after a position, and ends at its limit', async () => {
      await append(...Array.from({ length: 5 }, (_, index) => entry({ at: index })));
      expect((await scan(1, 2)).map(({ position }) => position)).toEqual([2, 3]);
      expect(await scan(5)).toEqual([]);
      expect((await scan(Number.MIN_SAFE_INTEGER, 2)).map(({ position }) => position)).toEqual([1, 2]);
    });

    test('a search finds the newest first, by patient, by user, by time and by place', async () => {
      await append(
        entry({ at: 10 }),
        entry({ at: 20, patientId: 'ben' }),
        entry({ at: 30, by: 'Practitioner/bob' }),
        entry({ at: 40, patientId: null }),
        entry({ at: 50, by: null, patientId: 'ben' }),
      );
      expect(await positionsOf({})).toEqual([5, 4, 3, 2, 1]);
      expect(await positionsOf({ patientIds: ['amy'] })).toEqual([3, 1]);
      expect(await positionsOf({ patientIds: ['amy', 'ben'] })).toEqual([5, 3, 2, 1]);
      expect(await positionsOf({ patientIds: [] })).toEqual([]);
      expect(await positionsOf({ users: ['Practitioner/ada'] })).toEqual([4, 2, 1]);
      expect(await positionsOf({ users: ['Practitioner/ada'], patientIds: ['amy'] })).toEqual([1]);
      expect(await positionsOf({ from: 20, until: 40 })).toEqual([3, 2]);
      expect(await positionsOf({ before: 4 })).toEqual([3, 2, 1]);
      expect(await positionsOf({ before: 4 }, 2)).toEqual([3, 2]);
    });

    test('a search finds entries of any age, however they were appended', async () => {
      const entries = Array.from({ length: 9000 }, (_, index) =>
        entry({
          at: index,
          patientId: index % 7 === 0 ? null : `p${index % 1000}`,
          by: index % 5 === 0 ? null : `Practitioner/${index % 3}`,
        }),
      );
      for (const [from, to] of [
        [0, 4095],
        [4095, 4096],
        [4096, 4097],
        [4097, 8190],
        [8190, 8999],
        [8999, 9000],
      ] as const) {
        await append(...entries.slice(from, to));
      }
      const positionsWhere = (matches: (appended: AuditEntry) => boolean) =>
        entries.flatMap((appended, index) => (matches(appended) ? [index + 1] : [])).reverse();
      const ofPatient = positionsWhere(({ patientId }) => patientId === 'p95');
      expect(await positionsOf({ patientIds: ['p95'] })).toEqual(ofPatient);
      expect(await positionsOf({ patientIds: ['p95'] }, 3)).toEqual(ofPatient.slice(0, 3));
      for (const [index, before] of ofPatient.entries()) {
        expect(await positionsOf({ patientIds: ['p95'], before })).toEqual(ofPatient.slice(index + 1));
      }
      expect(await positionsOf({ patientIds: ['p95', 'p96', 'p999'] })).toEqual(
        positionsWhere(({ patientId }) => ['p95', 'p96', 'p999'].includes(patientId ?? '')),
      );
      const ofUser = positionsWhere(({ by }) => by === 'Practitioner/1');
      expect(await positionsOf({ users: ['Practitioner/1'] }, 9000)).toEqual(ofUser);
      for (const before of [1, 2, 4095, 4096, 4097, 4098, 8192, 8193, 8194, 9000, 9001, 9999]) {
        expect(await positionsOf({ users: ['Practitioner/1'], before }, 9)).toEqual(
          ofUser.filter((position) => position < before).slice(0, 9),
        );
      }
      expect(await positionsOf({ users: ['Practitioner/1'], patientIds: ['p95'] })).toEqual(
        ofPatient.filter((position) => ofUser.includes(position)),
      );
      expect(await positionsOf({ patientIds: ['p95'], from: 2000, until: 8000 })).toEqual(
        ofPatient.filter((position) => position > 2000 && position <= 8000),
      );
    });

    test('a hundred appends at once make one chain', async () => {
      await Promise.all(
        Array.from({ length: 100 }, (_, index) =>
          append(entry({ at: index }), entry({ at: index, patientId: 'ben' })),
        ),
      );
      expect((await scan(0, 1000)).map(({ position }) => position)).toEqual(
        Array.from({ length: 200 }, (_, index) => index + 1),
      );
      expect(await verify()).toMatchObject({ entries: 200, discrepancies: [] });
    });

    const removeUntil = async (position: number) => rightOf(await store.removeUntil(position));
    const startOf = async () => rightOf(await store.start());

    test('a log begins at its first entry until the oldest entries are removed', async () => {
      expect(await startOf()).toEqual({ position: 0, digest: '' });
      await append(...[1, 2, 3, 4].map((at) => entry({ at })));
      const before = await scan();
      await removeUntil(2);
      expect(await scan()).toEqual(before.slice(2));
      expect(await scan(Number.MIN_SAFE_INTEGER)).toEqual(before.slice(2));
      expect(await startOf()).toEqual({ position: 2, digest: before[1]?.digest });
      await removeUntil(3);
      expect(await scan()).toEqual(before.slice(3));
      expect(await startOf()).toEqual({ position: 3, digest: before[2]?.digest });
    });

    test('removed entries are not found, and the others are, of any age', async () => {
      await append(
        ...Array.from({ length: 9000 }, (_, index) => entry({ at: index, patientId: `p${index % 1000}` })),
      );
      await removeUntil(5000);
      expect(await positionsOf({ patientIds: ['p95'] })).toEqual([8096, 7096, 6096, 5096]);
      expect(await positionsOf({ users: ['Practitioner/ada'], before: 5003 })).toEqual([5002, 5001]);
      expect(await positionsOf({ before: 5001 })).toEqual([]);
    });

    test('entries after a removal continue the chain, also if nothing was left', async () => {
      await append(entry(), entry({ at: 2 }));
      const [, last] = await scan();
      await removeUntil(2);
      expect(await scan()).toEqual([]);
      await append(entry({ at: 3 }));
      const digest = createHash('sha256')
        .update(`${last?.digest} 3 3 16 3 2\nPractitioner/adaamy{}`)
        .digest('hex');
      expect(await scan()).toEqual([{ ...entry({ at: 3 }), position: 3, digest }]);
    });

    test('a position without an entry is unknown, and nothing is removed', async () => {
      await append(entry(), entry());
      await removeUntil(1);
      for (const position of [-1, 0, 1, 3]) {
        expect(await store.removeUntil(position)).toMatchObject({ left: { _tag: 'UnknownPosition' } });
      }
      expect((await scan()).map(({ position }) => position)).toEqual([2]);
    });

    test('a log that expires keeps its chain, and says who removed what', async () => {
      const log = createAuditLog({ store });
      await append(
        ...Array.from({ length: 1100 }, (_, index) => entry({ at: index, patientId: `${index}` })),
      );
      const { head } = await log.verify();
      expect(await log.expire({ until: 1099, by: 'Device/retention' })).toEqual({ removed: 1099 });
      expect(await log.verify({ head })).toMatchObject({
        entries: 2,
        removed: 1099,
        hasFoundHead: true,
        discrepancies: [],
      });
      const { events } = await log.search({ users: ['Device/retention'], count: 9 });
      expect(events.map(({ outcomeDesc }) => outcomeDesc)).toEqual([
        expect.stringMatching(/^removed the events up to 1099:[\da-f]{64}$/),
      ]);
      expect(await log.expire({ until: 1099, by: 'Device/retention' })).toEqual({ removed: 0 });
      expect(await log.verify()).toMatchObject({ entries: 2, discrepancies: [] });
    });

    test('entries that were removed without an event are missing', async () => {
      await append(entry(), entry());
      await removeUntil(1);
      expect((await verify()).discrepancies).toEqual([{ position: 1, problem: 'missing' }]);
    });

    test('a closed store is Closed', async () => {
      await store.close();
      expect(await store.append([entry()])).toMatchObject({ left: { _tag: 'Closed' } });
      expect(await store.search({ count: 1 })).toMatchObject({ left: { _tag: 'Closed' } });
      expect(await store.scan({ after: 0, limit: 1 })).toMatchObject({ left: { _tag: 'Closed' } });
      expect(await store.start()).toMatchObject({ left: { _tag: 'Closed' } });
      expect(await store.removeUntil(1)).toMatchObject({ left: { _tag: 'Closed' } });
      await expect(store.close()).rejects.toMatchObject({ tag: 'StoreFailure' });
    });

    test.skipIf(openAgain === undefined)('two stores on the same entries make one chain', async () => {
      await append(entry());
      const secondStore = await openAgain?.();
      if (secondStore === undefined) return;
      const both = [store, secondStore];
      await Promise.all(both.flatMap((shared) => [1, 2, 3].map((at) => shared.append([entry({ at })]))));
      expect((await scan()).map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
      expect(await verify()).toMatchObject({ entries: 7, discrepancies: [] });
      await secondStore.close();
    });
  });
};
