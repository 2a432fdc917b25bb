import { setImmediate } from 'node:timers/promises';
import { createMemoryStore } from '@clinical-records/store-memory';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { BulkExportOptions, Principal } from '../../src/index.ts';
import { oneCommandOfEach } from '../builders.ts';
import { type Clinic, openClinic } from '../clinic.ts';
import { createFiles, openExports, refusalOf, service } from './export-client.ts';

let clinic: Clinic;
beforeEach(async () => {
  clinic = await openClinic(createMemoryStore());
  for (const command of oneCommandOfEach({ id: 'x' })) await clinic.record(command);
});

const open = (bulkExport: Partial<BulkExportOptions> = {}, options?: Parameters<typeof openExports>[2]) =>
  openExports(clinic, bulkExport, options);

/** Two other clients. */
const [one, other]: readonly [Principal, Principal] = [
  { ...service, client: 'one' },
  { ...service, client: 'other' },
];

/** Exports that run until `finish` is called. */
const openGated = (bulkExport: Partial<BulkExportOptions> = {}) => {
  const gate = Promise.withResolvers<void>();
  const { files } = createFiles(() => gate.promise);
  const write = vi.spyOn(files, 'write');
  const opened = open({ files, ...bulkExport });
  /** Begins an export, and waits until it writes its first file. It has then looked at all records. */
  const run = async (as: Principal = service) => {
    const begun = write.mock.calls.length;
    const { status, headers } = await opened.begin('/$export?_type=Goal', { as });
    expect(status).toBe(202);
    // With `expect.poll`, the clock of a test would go on.
    while (write.mock.calls.length === begun) await setImmediate();
    return headers['content-location'] ?? '';
  };
  return { ...opened, run, finish: gate.resolve };
};

describe('Exports that run', () => {
  test('a finished export takes no place of a running one: twenty of one client, one after the other', async () => {
    const { end, begin } = open();
    for (let n = 0; n < 20; n++) expect((await end('/$export')).status.status).toBe(200);
    expect((await begin('/$export', { as: { ...service, client: 'another' } })).status).toBe(202);
  });

  test('four run for a principal and eight in all, and one more is a 429 until one has ended', async () => {
    const { begin, run, finish, send } = openGated();
    const [location = ''] = [await run(), await run(), await run(), await run()];
    expect(refusalOf(await begin('/$export'))).toEqual([
      ...[429, 'too-many-exports'],
      'Too many exports are running. Wait until one has ended, or delete one.',
    ]);
    const another: Principal = { ...service, subject: 'Device/another' };
    for (const as of [other, other, another, another]) await run(as);
    expect((await begin('/$export', { as: { ...service, client: 'a third' } })).status).toBe(429);
    finish();
    await expect.poll(async () => (await send('GET', location)).status).toBe(200);
    expect((await begin('/$export')).status).toBe(202);
  });

  test('one that is deleted while it runs makes place', async () => {
    const { begin, run, send } = openGated({ maxExportsPerPrincipal: 1 });
    const location = await run();
    expect((await begin('/$export')).status).toBe(429);
    await send('DELETE', location);
    expect((await begin('/$export')).status).toBe(202);
  });

  describe('Retry-After says in how many seconds one of them will have ended', () => {
    beforeEach(() => vi.useFakeTimers({ toFake: ['Date'] }));
    afterEach(() => vi.useRealTimers());
    const pass = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000);
    const refusedFor = async ({ begin }: Pick<ReturnType<typeof open>, 'begin'>, as?: Principal) => {
      const { status, headers } = await begin('/$export', { as: as ?? service });
      expect(status).toBe(429);
      return headers['retry-after'];
    };

    test('the first export takes as long again as it has taken', async () => {
      const exports = openGated({ maxExports: 1 });
      await exports.run();
      expect(await refusedFor(exports)).toBe('1');
      pass(40);
      expect(await refusedFor(exports)).toBe('40');
    });

    test('a later one looks at as many records as the one before', async () => {
      const { files } = createFiles();
      const exports = open({ files, maxExports: 1 });
      await exports.end('/$export');
      const write = vi.spyOn(files, 'write').mockImplementation(() => new Promise(() => {}));
      await exports.begin('/$export?_type=Goal');
      while (write.mock.calls.length === 0) await setImmediate();
      pass(40);
      // It has looked at all of them, and only writes its files.
      expect(await refusedFor(exports)).toBe('1');
    });

    test('it waits for a place of its principal, and for one of all', async () => {
      const exports = openGated({ maxExports: 3, maxExportsPerPrincipal: 2 });
      await exports.run(one);
      pass(10);
      await exports.run(one);
      pass(30);
      await exports.run(other);
      pass(20);
      // They have run for 60, 50 and 20 seconds.
      expect([await refusedFor(exports, one), await refusedFor(exports, other)]).toEqual(['50', '20']);
    });
  });
});

describe('Exports that have finished', () => {
  const gone =
    'There is no such export. It has expired, was deleted, or made room for a later one of its client.';

  test('four of a client are kept; with one more, the oldest goes, and its URLs are a 404 that says so', async () => {
    const { end, send, texts } = open();
    const ended = [];
    for (let n = 0; n < 5; n++) ended.push(await end('/$export?_type=Goal'));
    const [oldest, ...others] = ended;
    for (const url of [oldest?.location ?? '', oldest?.manifest.output[0].url]) {
      expect(refusalOf(await send('GET', url))).toEqual([404, 'unknown-export', gone]);
    }
    for (const { location, manifest } of others) {
      expect((await send('GET', location)).status).toBe(200);
      expect((await send('GET', manifest.output[0].url)).status).toBe(200);
    }
    expect(texts.size).toBe(4);
  });

  test('those of other clients stay', async () => {
    const { end, send } = open({ maxKept: 1 });
    const { location } = await end('/$export', { as: one });
    for (let n = 0; n < 3; n++) await end('/$export', { as: other });
    expect((await send('GET', location, { as: one })).status).toBe(200);
  });

  test('their files have maxKeptBytes at most, but the latest is kept, whatever its size', async () => {
    const { end, send } = open();
    const { manifest } = await end('/$export?_type=Goal');
    const bytes = Buffer.byteLength((await send('GET', manifest.output[0].url)).body);
    const statuses = async (maxKeptBytes: number) => {
      const exports = open({ maxKeptBytes });
      const ended = [];
      for (let n = 0; n < 3; n++) ended.push((await exports.end('/$export?_type=Goal')).location);
      return Promise.all(ended.map(async (location) => (await exports.send('GET', location)).status));
    };
    expect(await statuses(3 * bytes)).toEqual([200, 200, 200]);
    expect(await statuses(3 * bytes - 1)).toEqual([404, 200, 200]);
    expect(await statuses(1)).toEqual([404, 404, 200]);
  });

  test('one that runs is not removed to make room', async () => {
    const { files } = createFiles();
    const gate = Promise.withResolvers<void>();
    const { begin, end, send } = open({ files, maxKept: 1 });
    vi.spyOn(files, 'write').mockImplementationOnce(() => gate.promise);
    const running = (await begin('/$export?_type=Goal')).headers['content-location'] ?? '';
    for (let n = 0; n < 3; n++) await end('/$export?_type=Patient');
    expect((await send('GET', running)).status).toBe(202);
    gate.resolve();
    await expect.poll(async () => (await send('GET', running)).status).toBe(200);
  });

  test('one that was deleted or has expired is a 404 that says so, for its client and for others', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    try {
      const { end, send } = open({ keepFor: 60_000 });
      const [deleted, expired] = [await end('/$export'), await end('/$export')];
      await send('DELETE', deleted.location);
      vi.setSystemTime(Date.now() + 60_001);
      for (const { location, manifest } of [deleted, expired]) {
        for (const url of [location, manifest.output[0].url]) {
          expect(refusalOf(await send('GET', url))).toEqual([404, 'unknown-export', gone]);
          const as = { ...service, client: 'another' };
          expect(refusalOf(await send('GET', url, { as }))).toEqual([404, 'unknown-export', gone]);
        }
      }
    } finally {
      vi.useRealTimers();
    }
  });

  test('a file that a kept export does not have is a 404 without that', async () => {
    const { end, send } = open();
    const { location } = await end('/$export?_type=Goal');
    expect(refusalOf(await send('GET', `${location}/Patient.1.ndjson`)).slice(0, 2)).toEqual([
      ...[404, 'unknown-path'],
    ]);
  });

  test('one that has failed keeps no files, and its status', async () => {
    const { files, texts } = createFiles();
    const write = files.write;
    const { end, send } = open({ files });
    vi.spyOn(files, 'write')
      .mockImplementationOnce(write)
      .mockRejectedValueOnce(new Error('the disk is full'));
    const { location, status } = await end('/$export');
    expect([status.status, texts.size]).toEqual([500, 0]);
    expect((await send('GET', location)).status).toBe(500);
  });

  test('files that cannot be removed to make room are not shown, disturb no other export, and are removed later', async () => {
    const { files, texts } = createFiles();
    const onError = vi.fn();
    const { end, send } = open({ files, maxKept: 1 }, { onError });
    const { manifest } = await end('/$export?_type=Goal');
    const remove = vi.spyOn(files, 'remove').mockRejectedValue(new Error('the disk is gone'));
    const { status } = await end('/$export?_type=Patient');
    expect(status.status).toBe(200);
    expect((await send('GET', manifest.output[0].url)).status).toBe(404);
    expect(texts.size).toBe(2);
    expect(onError).toHaveBeenCalled();
    remove.mockRestore();
    expect((await send('GET', manifest.output[0].url)).status).toBe(404);
    expect(texts.size).toBe(1);
  });
});
