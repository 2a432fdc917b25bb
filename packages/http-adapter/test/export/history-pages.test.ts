import { anyVersion, type ClinicalStore, type StoredVersion } from '@clinical-records/core/store';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { isRight, right } from 'fp-ts/lib/Either.js';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Principal } from '../../src/index.ts';
import { createClock, createHandler, createRecords, createSender } from '../clinic.ts';

const maxPageBytes = 1024 * 1024;
const versions = 600;
/** The versions that were written while the goal was in the chart of another patient. */
const elsewhere = 200;
/** 20 kB in UTF-8. */
const text = 'ü'.repeat(10_000);

/** The reads of histories: the versions without texts, the most of them at once, and the versions with texts. */
const nothing = { listed: 0, atOnce: 0, texts: 0 };
let read = nothing;

const busyHistory = ({ before = 20_002, limit }: Parameters<ClinicalStore['history']>[0]) =>
  Array.from({ length: Math.min(limit, before - 1) }, (_, index): StoredVersion => {
    const version = before - 1 - index;
    return { patientId: 'amy', version, at: version, by: null, bytes: 1 };
  });

/** The store, which counts. It also has a goal of 20,001 versions. */
const countingStore = (store: ClinicalStore): ClinicalStore => ({
  ...store,
  history: async (range) => {
    const found = range.id === 'busy' ? right(busyHistory(range)) : await store.history(range);
    const rows = isRight(found) ? found.right.length : 0;
    read = { ...read, listed: read.listed + rows, atOnce: Math.max(read.atOnce, rows) };
    return found;
  },
  readVersion: async (ref) => {
    read = { ...read, texts: read.texts + 1 };
    return store.readVersion(ref);
  },
});

const store = openSqliteStore({ filename: ':memory:' });
const records = createRecords(countingStore(store), { clock: createClock().now });
const send = createSender(createHandler(records));
/** Gets as a principal. Returns the JSON, or the status if there is none to show. */
const getAs =
  (principal: Pick<Principal, 'scopes' | 'patient'>) =>
  async (url: string): Promise<ReturnType<typeof JSON.parse>> => {
    const authenticate = (): Principal => ({ subject: 'Practitioner/ada', ...principal });
    const { status, json } = await createSender(createHandler(records, { authenticate }))('GET', url);
    return status === 200 ? json : status;
  };
const getIn = (patient: string) => getAs({ scopes: 'patient/*.rs', patient });
const get = getAs({ scopes: 'user/*.rs' });

/** Texts of the goal `large`: two of its versions alone have more than 1 MiB. */
const [small, large] = ['x', 'x'.repeat(maxPageBytes + 1)];

const writeGoal = async (
  id: string,
  { patientId, at, text }: { readonly patientId: string; readonly at: number; readonly text: string },
) => {
  const subject = { reference: `Patient/${patientId}` };
  const resource = JSON.stringify({ resourceType: 'Goal', id, subject, description: { text } });
  const texts = { state: JSON.stringify({ text }), resource, index: [] };
  const written = { type: 'Goal', id, patientId, at, by: 'Practitioner/ada', ...texts };
  await store.commit({ changes: [{ ...written, expects: anyVersion }], versionChecks: [] });
};

beforeAll(async () => {
  for (const id of ['amy', 'ben']) await records.directory.put('Patient', { id, lastName: 'Shaw' });
  for (let version = 1; version <= versions; version += 1) {
    await writeGoal('walk', { patientId: version <= elsewhere ? 'ben' : 'amy', at: version, text });
  }
  for (const [index, text] of [small, large, large, small].entries()) {
    await writeGoal('large', { patientId: 'amy', at: index + 1, text });
  }
});
beforeEach(() => {
  read = nothing;
});

const numbersIn = (bundle: ReturnType<typeof JSON.parse>): readonly number[] =>
  bundle.entry.map(({ resource }: { resource: { meta: { versionId: string } } }) =>
    Number(resource.meta.versionId),
  );

/** All pages from a URL on, by the links between them. */
const followPages = async (ask: typeof get, url: string) => {
  const pages = [];
  for (let next: string | undefined = url; next !== undefined; ) {
    const page = await ask(next);
    pages.push(page);
    const links: readonly { readonly relation: string; readonly url: string }[] = page.link;
    next = links.find(({ relation }) => relation === 'next')?.url.replace('../../', '/');
  }
  return pages;
};

const numbersDown = (from: number, to: number): readonly number[] =>
  Array.from({ length: from - to + 1 }, (_, index) => from - index);

describe('a goal of 600 versions', () => {
  test('one version costs one version', async () => {
    expect((await get('/Goal/walk/_history/3')).meta.versionId).toBe('3');
    expect(read).toEqual({ listed: 1, atOnce: 1, texts: 1 });
    expect(await get('/Goal/walk/_history/601')).toBe(404);
  });

  test('a page of its history costs the texts of the page, and its total only who wrote the others, and when', async () => {
    const page = await get('/Goal/walk/_history?_count=1');
    expect([page.total, numbersIn(page)]).toEqual([versions, [600]]);
    expect(read).toEqual({ listed: versions, atOnce: 500, texts: 1 });
    read = nothing;
    expect(await get('/Goal/walk/_history?_count=0')).toMatchObject({ total: versions });
    expect(read.texts).toBe(0);
  });

  test('a page of its history ends before the version that would bring it above 1 MiB, and the pages have each version once', async () => {
    const pages = await followPages(get, '/Goal/walk/_history?_count=100');
    expect(pages.flatMap(numbersIn)).toEqual(numbersDown(versions, 1));
    for (const page of pages) {
      const bytes = page.entry.map(({ resource }: { resource: object }) =>
        Buffer.byteLength(JSON.stringify({ ...resource, meta: undefined })),
      );
      const [first = 0] = bytes;
      const total = bytes.reduce((sum: number, length: number) => sum + length, 0);
      expect(total).toBeLessThanOrEqual(maxPageBytes);
      if (page !== pages.at(-1)) expect(total + first).toBeGreaterThan(maxPageBytes);
      expect(page.total).toBe(versions);
    }
    expect(read.texts).toBe(versions);
    const methods = pages.flatMap(({ entry }) => entry).map(({ request }) => request.method);
    expect(methods).toEqual(numbersDown(versions, 1).map((version) => (version === 1 ? 'POST' : 'PUT')));
  });

  test('a Provenance costs no text, and no more than the version, an earlier one and the newest', async () => {
    const provenance = await get('/Provenance/G-walk-3');
    expect(provenance.activity.coding).toMatchObject([{ code: 'UPDATE' }]);
    expect(read).toEqual({ listed: 3, atOnce: 2, texts: 0 });
    expect((await get('/Provenance/G-walk-1')).activity.coding).toMatchObject([{ code: 'CREATE' }]);
    expect(await get('/Provenance/G-walk-601')).toBe(404);
  });

  test('its Provenances cost no text', async () => {
    const page = await get('/Provenance?target=Goal/walk&_count=2');
    expect([page.total, page.entry.map(({ resource }: { resource: { id: string } }) => resource.id)]).toEqual(
      [versions, ['G-walk-1', 'G-walk-2']],
    );
    expect(read).toEqual({ listed: versions, atOnce: 500, texts: 0 });
    read = nothing;
    const found = await get('/Goal?_id=walk&_revinclude=Provenance:target');
    expect(found.entry.map(({ resource }: { resource: { id: string } }) => resource.id)).toEqual([
      'walk',
      'G-walk-600',
    ]);
    expect(read).toEqual({ listed: 3, atOnce: 2, texts: 0 });
  });

  test('in the chart where it is now, its first versions are not counted, and the first is the first that can be seen', async () => {
    const ask = getIn('amy');
    const pages = await followPages(ask, '/Goal/walk/_history?_count=100');
    expect(pages.flatMap(numbersIn)).toEqual(numbersDown(versions, elsewhere + 1));
    expect(new Set(pages.map(({ total }) => total))).toEqual(new Set([versions - elsewhere]));
    expect(pages.at(-1)?.entry.at(-1).request.method).toBe('POST');
    expect((await ask('/Provenance?target=Goal/walk&_count=0')).total).toBe(versions - elsewhere);
    const first = `G-walk-${elsewhere + 1}`;
    expect((await ask(`/Provenance/${first}`)).activity.coding).toMatchObject([{ code: 'CREATE' }]);
    expect(await ask(`/Provenance/G-walk-${elsewhere}`)).toBe(404);
    expect(await ask(`/Goal/walk/_history/${elsewhere}`)).toBe(404);
    expect((await ask(`/Goal/walk/_history/${elsewhere + 1}`)).subject.reference).toBe('Patient/amy');
  });

  test('in the chart where it was, it is not found in any form', async () => {
    const ask = getIn('ben');
    for (const path of ['/Goal/walk/_history', '/Goal/walk/_history/1', '/Provenance/G-walk-1']) {
      expect(await ask(path)).toBe(404);
    }
    expect((await ask('/Provenance?target=Goal/walk')).total).toBe(0);
  });
});

describe('a history from TypeScript', () => {
  const { goals } = records;
  const numbersOf = (page: readonly { readonly version: number }[]) => page.map(({ version }) => version);

  test('has as many versions as are asked for, before one of them or from the current one on', async () => {
    expect(numbersOf(await goals.history('walk', { count: 3 }))).toEqual([600, 599, 598]);
    expect(numbersOf(await goals.history('walk', { count: 3, before: 598 }))).toEqual([597, 596, 595]);
    expect(read.texts).toBe(6);
    expect(await goals.history('walk', { count: 0 })).toEqual([]);
    expect(await goals.history('walk', { before: 1 })).toEqual([]);
  });

  test('ends early at 1 MiB, so that the next page begins before its last version, and an empty one is the end', async () => {
    const seen: number[] = [];
    for (;;) {
      const page = numbersOf(await goals.history('walk', { before: seen.at(-1) }));
      expect(page.length).toBeLessThan(100);
      if (page.length === 0) break;
      seen.push(...page);
    }
    expect(seen).toEqual(numbersDown(versions, 1));
    expect(read.texts).toBe(versions);
  });

  test('leaves out the versions of another chart, wherever the page begins', async () => {
    const within = { within: 'amy' };
    const before = elsewhere + 3;
    expect(numbersOf(await goals.history('walk', { ...within, before }))).toEqual([202, 201]);
    expect(await goals.history('walk', { ...within, before: elsewhere })).toEqual([]);
    await expect(goals.history('walk', { within: 'ben', before: elsewhere })).rejects.toMatchObject({
      tag: 'NotFound',
    });
  });

  test.each([
    ['count', -1],
    ['count', 1.5],
    ['count', Number.NaN],
    ['before', -1],
    ['before', '3'],
  ])('needs a whole number as its %s, and not %s', async (name, value) => {
    await expect(goals.history('walk', { [name]: value })).rejects.toMatchObject({
      tag: 'InvalidRequest',
      issues: [{ rule: 'whole-number', expression: name }],
    });
  });

  test('reads no version that is not a whole number', async () => {
    for (const version of [1.5, Number.NaN, 1e300]) {
      await expect(goals.readVersion('walk', version)).rejects.toMatchObject({ tag: 'NotFound' });
    }
  });
});

describe('a version above 1 MiB is on a page of its own', () => {
  test('over HTTP, where the next page continues after it', async () => {
    const pages = await followPages(get, '/Goal/large/_history');
    expect(pages.map(numbersIn)).toEqual([[4], [3], [2], [1]]);
    expect(pages.map(({ total }) => total)).toEqual([4, 4, 4, 4]);
  });

  test('from TypeScript, where an empty page is the end', async () => {
    const pageBefore = async (before?: number) =>
      (await records.goals.history('large', { before })).map(({ version }) => version);
    expect([await pageBefore(), await pageBefore(4), await pageBefore(3), await pageBefore(2)]).toEqual([
      [4],
      [3],
      [2],
      [1],
    ]);
    expect(await pageBefore(1)).toEqual([]);
  });
});

test('more than 10,000 Provenances are too costly, and one of them is not', async () => {
  const { status, text: body } = await send('GET', '/Provenance?target=Goal/busy');
  expect([status, body]).toEqual([422, expect.stringContaining('too-costly')]);
  expect(read.listed).toBeLessThan(11_000);
  read = nothing;
  expect((await get('/Provenance/G-busy-20001')).meta.versionId).toBe('1');
  expect(read.listed).toBe(3);
});
