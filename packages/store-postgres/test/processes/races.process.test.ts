import { spawn } from 'node:child_process';
import { hash } from 'node:crypto';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { computeDigest, type FeedEntry } from '@clinical-records/core/store';
import { expect, test } from 'vitest';
import { listTenants, openPostgresStore } from '../../src/index.ts';
import { resultOf } from '../store-helpers.ts';
import { newDatabase, openPool } from '../tenants/databases.ts';
import { type Attempt, type Expected, races } from './attempts.ts';
import { chartsTenant, createRecords, names, patients } from './charts.ts';
import { followFeed, nameEntry } from './feed.ts';

const url = await newDatabase();
const pool = openPool(url);
const store = openPostgresStore({ pool });
const charts = openPostgresStore({ pool, tenant: chartsTenant });

type Report = { readonly attempts: readonly Attempt[]; readonly followed: readonly string[] };

const startRacer = async (name: string) => {
  const mode = name === '0' ? 'no pipeline' : 'pipeline';
  const racer = fileURLToPath(new URL('./racer.ts', import.meta.url));
  const child = spawn(process.execPath, [racer, url, name, mode], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [ready] = await once(child.stdout.setEncoding('utf8'), 'data');
  expect(ready).toBe('ready\n');
  return async (): Promise<Report> => {
    child.stdin.write('go');
    return JSON.parse(await text(child.stdout));
  };
};

/** Begins in an empty database, so that the processes also migrate it, and create the tenant, at the same time. */
const runRacers = async () => {
  const racers = await Promise.all(names.map(startRacer));
  const reports = await Promise.all(racers.map((go) => go()));
  return { reports, attempts: reports.flatMap(({ attempts }) => attempts), feed: await followFeed(store) };
};

const { reports, attempts, feed } = await runRacers();
const versionName = ({ id, version }: { readonly id: string; readonly version: number | null }) =>
  `${id}:${version}`;
const inFeed = new Map(feed.map((entry, at) => [versionName(entry), at]));

/** The commits that were written, with the place of each in the feed. */
const written = attempts.flatMap(({ changes, checks, outcome }) => {
  if (!('written' in outcome)) return [];
  const versions = changes.map(({ id }, at) => versionName({ id, version: outcome.written[at] ?? null }));
  return [{ changes, checks, versions, place: inFeed.get(versions[0] ?? '') ?? -1 }];
});

test('the feed has no gap, and every process has followed it in the same order', () => {
  expect(feed.map(({ position }) => position)).toEqual(feed.map((_, at) => `${at + 1}`));
  let digest = '';
  const digests = feed.map((entry: FeedEntry) => {
    digest = computeDigest((content) => hash('sha256', content), digest, entry);
    return digest;
  });
  expect(feed.map((entry) => entry.digest)).toEqual(digests);
  for (const { followed } of reports) {
    expect(followed.length).toBeGreaterThan(0);
    expect(followed).toEqual(feed.slice(0, followed.length).map(nameEntry));
  }
});

test('every commit that was reported as written is there once, as a whole, and nothing else is', () => {
  expect(written.flatMap(({ versions }) => versions).toSorted()).toEqual([...inFeed.keys()].toSorted());
  expect(inFeed.size).toBe(feed.length);
  for (const { versions, place } of written)
    expect(feed.slice(place, place + versions.length).map(versionName)).toEqual(versions);
});

test('each commit has found what it expected, as if the commits had been made one after the other', () => {
  const current = new Map<string, number>();
  const versionsOf = (expected: readonly Expected[]) =>
    expected.map(({ id, version }) => ({ id, version: version === null ? null : (current.get(id) ?? 0) }));
  for (const { changes, checks } of written.toSorted((a, b) => a.place - b.place)) {
    expect(versionsOf([...changes, ...checks])).toEqual([...changes, ...checks]);
    for (const { id } of changes) current.set(id, (current.get(id) ?? 0) + 1);
  }
});

test('a commit conflicts only where another one was faster', () => {
  const conflicts = attempts.flatMap(({ changes, checks, outcome }) =>
    'conflict' in outcome
      ? [{ ...outcome, expected: [...changes, ...checks].find(({ id }) => id === outcome.conflict)?.version }]
      : [],
  );
  for (const { conflict, actual, expected } of conflicts) {
    expect(actual).toBeGreaterThan(expected ?? Number.POSITIVE_INFINITY);
    expect([...inFeed.keys()]).toContain(versionName({ id: conflict, version: actual }));
  }
  const lostRaces = conflicts.filter(({ conflict }) => conflict.startsWith('race-'));
  expect(lostRaces).toHaveLength(races * (names.length - 1));
});

test('searches and scans find what the feed has', async () => {
  const ids = [...new Set(feed.map(({ id }) => id))].toSorted();
  const scanned = await resultOf(store.scan({ limit: 10_000 }));
  expect(scanned.map(({ id }) => id).toSorted()).toEqual(ids);
  const query = { type: 'Goal', conditions: [], start: { offset: 0 }, count: 1000, withTotal: true };
  const { matches, total } = await resultOf(store.search(query));
  expect(matches.map(({ id }) => id).toSorted()).toEqual(ids);
  expect(total).toBe(ids.length);
});

test('charts that all processes have written are sound, and have what each has written', async () => {
  const { careTeams, goals, verify } = createRecords(charts);
  expect(await verify()).toMatchObject({ discrepancies: [], miscounted: [] });
  for (const patient of patients) {
    expect((await careTeams.read(patient)).participant).toHaveLength(names.length);
    const { entry = [] } = await goals.search({ patient });
    expect(entry.map(({ resource }) => resource.description.text).toSorted()).toEqual(
      names.map((name) => `Walk with ${name}`),
    );
  }
});

test('the tenant that all processes have created is there once', async () => {
  expect((await listTenants({ pool })).map(({ name }) => name)).toEqual([chartsTenant, 'default']);
});

test('no version is dated before the one that it replaces, although the clock of each process is another hour ahead', async () => {
  const { rows } = await pool.query(
    `select type, id, array_agg(committed order by version) as times
      from clinical_records.versions join clinical_records.tenants using (tenant)
      where name = $1 group by type, id having count(*) > 1`,
    [chartsTenant],
  );
  expect(new Set(rows.map(({ type }) => type))).toEqual(new Set(['Patient', 'CareTeam']));
  for (const { type, id, times } of rows)
    expect([type, id, times]).toEqual([type, id, times.toSorted((a: Date, b: Date) => +a - +b)]);
});
