import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClinicalRecords } from '@clinical-records/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDemo } from '../../demo/create-demo.ts';
import { createSiteExport } from '../../export/export-folder.ts';
import { exportInto } from '../../export/export-into.ts';
import { createExportProgress } from '../../export/export-progress.ts';
import { useRecords } from '../../open/use-records.ts';
import { useUnchanged } from '../../open/use-unchanged.ts';
import { runHere } from '../run-here.ts';

let folder: string;
const pathOf = (name: string) => join(folder, name);
const locationOf = (name: string) => ({ _tag: 'File', filename: pathOf(name) }) as const;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'export-'));
  await createDemo(locationOf('demo.db'));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Every resource that the interface shows, without what each store counts by itself. */
const readEverything = async (records: ClinicalRecords) => {
  const { serviceRequests, goals, careTeams, immunizations } = records;
  const found: object[] = [];
  for (const { all } of [serviceRequests, goals, careTeams, immunizations]) {
    for await (const { meta: _, ...resource } of all()) found.push(resource);
  }
  return found;
};

const readFolder = (name: string) =>
  readdirSync(pathOf(name)).map((file) => ({
    file,
    lines: readFileSync(join(pathOf(name), file), 'utf8')
      .trimEnd()
      .split('\n'),
  }));

test('--export writes a file for each type, and --import of the folder gives the same reads', async () => {
  const exported = await runHere('--data', pathOf('demo.db'), '--export', pathOf('out'));
  expect(exported).toMatchObject({ code: 0, err: '' });
  const files = readFolder('out');
  expect(files.map(({ file }) => file)).toEqual(
    [
      'AllergyIntolerance',
      'CareTeam',
      'Encounter',
      'Goal',
      'Immunization',
      'Organization',
      'Patient',
      'Practitioner',
      'ServiceRequest',
    ].map((type) => `${type}.ndjson`),
  );
  const counts = files.map(({ file, lines }) => `${lines.length} ${file.replace('.ndjson', '')}`);
  for (const count of counts) expect(exported.out).toContain(count);
  expect(statSync(join(pathOf('out'), 'Goal.ndjson')).mode & 0o077).toBe(0);

  const args = ['--data', pathOf('copy.db'), '--empty', '--import', pathOf('out'), '--import-only'];
  expect(await runHere(...args)).toMatchObject({ code: 0, out: expect.not.stringContaining('issues') });
  const [demo, copy] = [locationOf('demo.db'), locationOf('copy.db')];
  expect(await useUnchanged(copy, readEverything)).toEqual(await useUnchanged(demo, readEverything));

  await runHere('--data', pathOf('copy.db'), '--export', pathOf('again'));
  const withoutMeta = (line: string) =>
    JSON.parse(line, (name, value) => (name === 'meta' ? undefined : value));
  const resourcesIn = (name: string) =>
    readFolder(name).map(({ file, lines }) => ({ file, resources: lines.map(withoutMeta) }));
  expect(resourcesIn('again')).toEqual(resourcesIn('out'));
});

test('the progress of an export is a line for each ten thousand records', () => {
  const lines: string[] = [];
  const onProgress = createExportProgress((line) => lines.push(line));
  for (const records of [500, 9_999, 10_100, 19_000, 20_000, 20_500, 41_000, 42_000]) {
    onProgress({ records, exported: records - 9 });
  }
  expect(lines).toEqual([
    'Exporting: 10100 records, 10091 resources\n',
    'Exporting: 20000 records, 19991 resources\n',
    'Exporting: 41000 records, 40991 resources\n',
  ]);
});

test('--export overwrites nothing, and says what it cannot read or create', async () => {
  mkdirSync(pathOf('taken'));
  const failure = async (...args: readonly string[]) => {
    const { code, err } = await runHere(...args);
    return [code, err.replaceAll(folder, '')];
  };
  expect(await failure('--data', pathOf('demo.db'), '--export', pathOf('taken'))).toEqual([
    ...[2, 'clinical-records: /taken exists already, and an export overwrites nothing\n'],
  ]);
  expect(await failure('--data', pathOf('none.db'), '--export', pathOf('a'))).toEqual([
    ...[3, 'clinical-records: cannot open /none.db: there is no such file or folder\n'],
  ]);
  expect(await failure('--data', pathOf('demo.db'), '--export', pathOf('no/b'))).toEqual([
    ...[2, 'clinical-records: cannot create /no/b: the folder /no does not exist\n'],
  ]);
});

test('a care team is exported as the server returns it', async () => {
  const [exported = []] = readFolder('out').flatMap(({ file, lines }) =>
    file === 'CareTeam.ndjson' ? [lines] : [],
  );
  const returned: string[] = [];
  await useRecords(locationOf('demo.db'), async ({ careTeams }) => {
    for await (const json of careTeams.asJson.all()) returned.push(json);
  });
  const withParticipants = returned.filter((json) => json.includes('"participant":['));
  expect(exported.toSorted()).toEqual(withParticipants.toSorted());
  expect(exported.join()).not.toContain('data-absent-reason');
});

test('the name of the folder may end in a slash', async () => {
  const { code, err } = await runHere('--data', pathOf('demo.db'), '--export', `${pathOf('slash')}/`);
  expect([code, err]).toEqual([0, '']);
  expect(readdirSync(pathOf('slash'))).toContain('Goal.ndjson');
});

test('an export that is stopped leaves nothing', async () => {
  const stopped = AbortSignal.abort();
  await expect(
    exportInto(pathOf('stopped'), locationOf('demo.db'), { signal: stopped, write: () => {} }),
  ).rejects.toThrow('the export was stopped, and nothing of it is left');
  expect(readdirSync(folder).filter((name) => name.startsWith('stopped'))).toEqual([]);
});

const [first, second] = [crypto.randomUUID(), crypto.randomUUID()];

test('the files of $export are in a folder beside the data, which only its owner can read, and which a start empties', async () => {
  const data = locationOf('served.db');
  const open = async () =>
    (await createSiteExport({ data, bulkExport: undefined, groups: undefined, isPortShared: false }))?.files;
  const files = await open();
  await files?.write(first, 'Goal.1.ndjson', 'goal');
  await files?.write(second, 'Goal.1.ndjson', 'other');
  expect(readdirSync(pathOf('served.db.exports')).toSorted()).toEqual([first, second].toSorted());
  expect(statSync(pathOf('served.db.exports')).mode & 0o077).toBe(0);
  expect(await files?.read(first, 'Goal.1.ndjson')).toBe('goal');
  await files?.remove(first);
  expect(await files?.read(first, 'Goal.1.ndjson')).toBeNull();
  expect(await files?.read(second, 'Goal.1.ndjson')).toBe('other');
  expect(await (await open())?.read(second, 'Goal.1.ndjson')).toBeNull();
});

test('a start with several processes, which serve no $export, empties the folder, too', async () => {
  const data = locationOf('served.db');
  const site = await createSiteExport({
    data,
    bulkExport: undefined,
    groups: undefined,
    isPortShared: false,
  });
  await site?.files.write(first, 'Goal.1.ndjson', 'goal');
  expect(
    await createSiteExport({ data, bulkExport: undefined, groups: undefined, isPortShared: true }),
  ).toBeNull();
  expect(readdirSync(pathOf('served.db.exports'))).toEqual([]);
});

test('without a folder there is no $export, nor with several processes', async () => {
  const memory = { _tag: 'File', filename: ':memory:' } as const;
  const sites = [
    { data: memory, bulkExport: undefined, groups: undefined, isPortShared: false },
    { data: locationOf('served.db'), bulkExport: pathOf('named'), groups: undefined, isPortShared: true },
  ];
  for (const site of sites) expect(await createSiteExport(site)).toBeNull();
});

test('--bulk-export names the folder, in which a start removes nothing but exports', async () => {
  const [data, bulkExport] = [locationOf('served.db'), pathOf('named')];
  mkdirSync(join(bulkExport, second), { recursive: true });
  writeFileSync(join(bulkExport, 'letter.txt'), 'Dear Amy');
  const site = await createSiteExport({ data, bulkExport, groups: undefined, isPortShared: false });
  expect(readdirSync(bulkExport)).toEqual(['letter.txt']);
  await site?.files.write(first, 'Goal.1.ndjson', 'goal');
  expect(readdirSync(bulkExport).toSorted()).toEqual([first, 'letter.txt'].toSorted());
});

test('--bulk-export of a file is a wrong flag', async () => {
  const { code, err } = await runHere(
    '--data',
    ':memory:',
    '--port',
    '0',
    '--bulk-export',
    pathOf('demo.db'),
  );
  expect([code, err.replaceAll(folder, '')]).toEqual([
    ...[2, 'clinical-records: cannot create /demo.db: there is a file of that name\n'],
  ]);
});

test('--groups names a file with the patients of groups, which is read again for each export', async () => {
  const [data, groups] = [locationOf('served.db'), pathOf('groups.json')];
  const open = async () => createSiteExport({ data, bulkExport: undefined, groups, isPortShared: false });
  writeFileSync(groups, '{ "diabetes": ["7"] }');
  const members = (await open())?.groupMembers as (id: string) => readonly string[] | null;
  expect([members('diabetes'), members('asthma'), members('toString')]).toEqual([['7'], null, null]);
  writeFileSync(groups, '{ "asthma": ["7", "8"] }');
  expect([members('diabetes'), members('asthma')]).toEqual([null, ['7', '8']]);
  for (const text of ['', '["7"]', '{ "asthma": "7" }', '{ "asthma": ["Patient/7"] }']) {
    writeFileSync(groups, text);
    await expect(open()).rejects.toThrow('are lists of ids of patients, by the id of the group');
  }
  rmSync(groups);
  await expect(open()).rejects.toThrow(
    `cannot read the groups of ${groups}: there is no such file or folder`,
  );
});
