import { type ClinicalStore, orThrow } from '@clinical-records/core/store';
import { createMemoryStore } from '@clinical-records/store-memory';
import * as E from 'fp-ts/lib/Either.js';
import { describe, expect, test } from 'vitest';
import { goal, immunize, labOrder } from '../../builders.ts';
import { createRecords, openClinic, readFeed } from '../../clinic.ts';
import { careTeam } from '../../fuzz/valid-bodies.ts';
import { openSqlite } from '../stores/open-sqlite.ts';

/** Records of each kind, most of them with a history. */
const fill = async (store: ClinicalStore): Promise<void> => {
  const { record, stage, records } = await openClinic(store);
  await Promise.all([goal(), labOrder(), immunize()].map((command) => record(command)));
  await stage(goal({ id: 'staged' }));
  await records.careTeams.asJson.update('amy', careTeam);
  await records.careTeams.asJson.update('amy', {
    ...careTeam,
    participant: careTeam.participant.slice(0, 1),
  });
};

const fillWithNames = async (store: ClinicalStore, names: readonly string[]): Promise<void> => {
  const { directory } = createRecords(store);
  for (const name of names) await directory.put('Organization', { id: 'clinic', name });
};

const expectSame = async (source: ClinicalStore, target: ClinicalStore): Promise<void> => {
  expect(await readFeed(target)).toEqual(await readFeed(source));
  const [one, other] = await Promise.all([source, target].map((store) => createRecords(store).verify()));
  expect(other).toEqual(one);
  expect(other).toMatchObject({ discrepancies: [], miscounted: [] });
};

describe.each([
  ['memory', 'SQLite', createMemoryStore, openSqlite],
  ['SQLite', 'memory', openSqlite, createMemoryStore],
])('a copy from %s to %s', (_from, _to, openSource, openTarget) => {
  test('has every version under its position and digest, and every search finds the same', async () => {
    const [source, target] = [openSource(), openTarget()];
    await fill(source);
    const copy = await createRecords(source).copyTo(target);
    await expectSame(source, target);
    const { versions, head } = await createRecords(target).verify();
    expect(copy).toEqual({ versions, head });
    const [found, copied] = await Promise.all(
      [source, target].map((store) => createRecords(store).immunizations.search({ patient: 'amy' })),
    );
    expect(found?.total).toBe(1);
    expect(copied).toEqual(found);
  });

  test('continues where an earlier copy was interrupted', async () => {
    const [source, target] = [openSource(), openTarget()];
    await fill(source);
    await fillWithNames(source, ['One', 'Two', 'Three']);
    let commits = 0;
    const failing: ClinicalStore = {
      ...target,
      commit: async (commit) =>
        ++commits > 3 ? E.left({ _tag: 'Unavailable', message: 'away', cause: null }) : target.commit(commit),
    };
    await expect(async () => createRecords(source).copyTo(failing)).rejects.toMatchObject({
      tag: 'StoreFailure',
    });
    const begun = await readFeed(target);
    const all = await readFeed(source);
    expect(begun.length).toBeGreaterThan(0);
    expect(begun.length).toBeLessThan(all.length);
    const progress: number[] = [];
    await createRecords(source).copyTo(target, { onProgress: (versions) => progress.push(versions) });
    expect(progress).toEqual([all.length]);
    await expectSame(source, target);
  });
});

test('an empty store is copied into an empty one', async () => {
  expect(await createRecords().copyTo(createMemoryStore())).toEqual({ versions: 0, head: ':' });
});

test('a copy that follows its source has what was written until its signal, and ends after it', async () => {
  const [source, target] = [createMemoryStore(), openSqlite()];
  await fill(source);
  const stop = new AbortController();
  const copied = Promise.withResolvers<number>();
  const copying = createRecords(source).copyTo(target, { follow: stop.signal, onProgress: copied.resolve });
  await copied.promise;
  await fillWithNames(source, ['One', 'Two']);
  stop.abort();
  const { versions } = await copying;
  expect(versions).toBeGreaterThan(await copied.promise);
  await expectSame(source, target);
});

test('a later copy adds what was written since', async () => {
  const [source, target] = [createMemoryStore(), createMemoryStore()];
  await fill(source);
  await createRecords(source).copyTo(target);
  await fillWithNames(source, ['One', 'Two']);
  await createRecords(source).copyTo(target);
  await expectSame(source, target);
});

test('a version that is written while its record is copied is found by its own index entries', async () => {
  const [source, target] = [createMemoryStore(), createMemoryStore()];
  const { record, completeOrder } = await openClinic(source);
  const { id } = await record(labOrder());
  let isFirst = true;
  const watched: ClinicalStore = {
    ...source,
    changesSince: async (range) => {
      const page = await source.changesSince(range);
      if (isFirst) {
        isFirst = false;
        await completeOrder(id);
      }
      return page;
    },
  };
  await createRecords(watched).copyTo(target);
  expect(isFirst).toBe(false);
  await expectSame(source, target);
});

test('what onProgress throws ends the copy, and the next one continues', async () => {
  const [source, target] = [createMemoryStore(), createMemoryStore()];
  await fillWithNames(
    source,
    Array.from({ length: 1_100 }, (_, at) => `${at}`),
  );
  const stopped = new Error('stopped');
  const stop = () => {
    throw stopped;
  };
  await expect(async () => createRecords(source).copyTo(target, { onProgress: stop })).rejects.toBe(stopped);
  expect(await readFeed(target)).toHaveLength(1_000);
  await createRecords(source).copyTo(target);
  await expectSame(source, target);
});

test('the source is read while the target writes', async () => {
  const [source, target] = [createMemoryStore(), createMemoryStore()];
  await fillWithNames(source, ['One', 'Two']);
  const { promise: isReadAgain, resolve } = Promise.withResolvers<void>();
  let reads = 0;
  const watched: ClinicalStore = {
    ...source,
    changesSince: (range) => {
      reads += 1;
      if (reads === 2) resolve();
      return source.changesSince(range);
    },
  };
  const slow: ClinicalStore = {
    ...target,
    commit: async (commit) => {
      if (commit.changes.length > 0) await isReadAgain;
      return target.commit(commit);
    },
  };
  await createRecords(watched).copyTo(slow);
  await expectSame(source, target);
});

test.each([
  ['other records', ['Other'], ['One', 'Two']],
  ['the same records with another version', ['One', 'Other'], ['One', 'Two']],
  ['more versions than the source', ['One', 'Two', 'Three'], ['One', 'Two']],
])('a target with %s is refused, and is not changed', async (_, inTarget, inSource) => {
  const [source, target] = [createMemoryStore(), createMemoryStore()];
  await fillWithNames(source, inSource);
  await createRecords(source).copyTo(target);
  const other = createMemoryStore();
  await fillWithNames(other, inTarget);
  const before = await readFeed(other);
  await expect(async () => createRecords(source).copyTo(other)).rejects.toMatchObject({
    tag: 'InvalidRequest',
    issues: [{ rule: 'other-records', expression: 'target' }],
  });
  expect(await readFeed(other)).toEqual(before);
});

test('a target that others write to meanwhile is refused', async () => {
  const [source, target] = [createMemoryStore(), createMemoryStore()];
  await fillWithNames(source, ['One', 'Two']);
  let isFirst = true;
  const shared: ClinicalStore = {
    ...target,
    commit: async (commit) => {
      if (isFirst) {
        isFirst = false;
        await createRecords(target).directory.put('Organization', { id: 'other', name: 'Other' });
      }
      return target.commit(commit);
    },
  };
  await expect(async () => createRecords(source).copyTo(shared)).rejects.toMatchObject({
    issues: [{ rule: 'other-records' }],
  });
});

test.each(['state', 'resource', 'by', 'digest'] as const)(
  'a source in which the %s of an old version was changed is refused, and nothing of the batch is written',
  async (part) => {
    const [source, target] = [createMemoryStore(), createMemoryStore()];
    await fill(source);
    const damaged: ClinicalStore = {
      ...source,
      changesSince: async (range) =>
        E.map<Awaited<ReturnType<typeof readFeed>>, Awaited<ReturnType<typeof readFeed>>>((entries) =>
          entries.map((entry, at) => (at === 4 ? { ...entry, [part]: `${entry[part]} ` } : entry)),
        )(await source.changesSince(range)),
    };
    await expect(async () => createRecords(damaged).copyTo(target)).rejects.toMatchObject({
      tag: 'InvalidRequest',
      issues: [{ rule: 'damaged-records' }],
    });
    expect(await readFeed(target)).toEqual([]);
  },
);

test('a version with a state that no definition reads any more is copied, unless it is the current one', async () => {
  const source = createMemoryStore();
  const { record } = await openClinic(source);
  await record(labOrder());
  const [order] = (await readFeed(source)).filter(({ type }) => type === 'ServiceRequest');
  const { version, position: _position, digest: _digest, ...content } = order as NonNullable<typeof order>;
  const write = (state: string, before: number) =>
    orThrow(
      source.commit({
        changes: [{ ...content, state, index: [], expects: { _tag: 'Version', version: before } }],
        versionChecks: [],
      }),
    );
  await write('{"former":"shape"}', version);
  await expect(async () => createRecords(source).copyTo(createMemoryStore())).rejects.toMatchObject({
    issues: [{ rule: 'damaged-records' }],
  });
  await write(content.state, version + 1);
  const target = createMemoryStore();
  await createRecords(source).copyTo(target);
  expect(await readFeed(target)).toEqual(await readFeed(source));
  const { total } = await createRecords(target).serviceRequests.search({ status: 'active' });
  expect(total).toBe(1);
});

test('a source with a record of an unknown type is refused', async () => {
  const source = createMemoryStore();
  const device = { type: 'Device', id: 'd', patientId: null, at: 0, by: null, state: '{}', resource: '{}' };
  const change = { ...device, index: [], expects: { _tag: 'Absent' } } as const;
  await orThrow(source.commit({ changes: [change], versionChecks: [] }));
  await expect(async () => createRecords(source).copyTo(createMemoryStore())).rejects.toMatchObject({
    issues: [{ rule: 'undefined-types', expression: 'Device' }],
  });
});

test('a copy keeps only a few long texts in memory at a time', async () => {
  const [source, target] = [createMemoryStore(), createMemoryStore()];
  const { directory, chart } = createRecords(source);
  await directory.put('Patient', { id: 'amy', lastName: 'Shaw' });
  const description = 'n'.repeat(250_000);
  for (let count = 0; count < 20; count += 1) {
    await chart.stage({ kind: 'goal', patientId: 'amy', description });
  }
  const sizes: number[] = [];
  const weighed: ClinicalStore = {
    ...target,
    commit: (commit) => {
      sizes.push(commit.changes.reduce((sum, { state }) => sum + state.length, 0));
      return target.commit(commit);
    },
  };
  await createRecords(source).copyTo(weighed);
  expect(sizes.length).toBeGreaterThan(3);
  expect(Math.max(...sizes)).toBeLessThan(1.5 * 1024 * 1024);
});
