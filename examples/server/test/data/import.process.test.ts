import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { createClinicalRecords, type ImportIssue } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterAll, expect, test } from 'vitest';
import { CommandError } from '../../command/command-error.ts';
import { findSources } from '../../import/find-sources.ts';
import { importSources } from '../../import/import-sources.ts';
import { createIssueFile } from '../../import/issue-file.ts';
import { readResources } from '../../import/read-resources.ts';
import { reportText } from '../../import/report-text.ts';
import { careTeamRoles, extensionBase } from '../../settings.ts';
import { endAll, newFolder, startServer } from '../running-server.ts';

afterAll(endAll);

const patient = (id: string) => ({
  resourceType: 'Patient',
  id,
  name: [{ family: 'Novak', given: ['Ida'] }],
});
const subject = { reference: 'Patient/p1' };
const encounter = {
  resourceType: 'Encounter',
  id: 'e1',
  status: 'finished',
  class: { code: 'AMB' },
  subject,
};
const goal = {
  resourceType: 'Goal',
  id: 'g1',
  lifecycleStatus: 'accepted',
  description: { text: 'Sleep well' },
  subject,
};
const immunization = {
  resourceType: 'Immunization',
  id: 'i1',
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: subject,
  encounter: { reference: 'Encounter/e1' },
  occurrenceDateTime: '2012-02-08T02:43:19+00:00',
  primarySource: true,
};

/** An export of another system: what comes first by name refers to what comes later. */
const exportFolder = async (): Promise<string> => {
  const folder = await newFolder();
  const files: Readonly<Record<string, readonly unknown[]>> = {
    'Condition.ndjson': [{ resourceType: 'Condition', id: 'c1', subject }],
    'Encounter.ndjson': [encounter],
    'Goal.ndjson': [goal],
    'Immunization.ndjson': [
      immunization,
      { ...immunization, id: 'i2', encounter: { reference: 'Encounter/none' } },
    ],
    'Patient.ndjson': [patient('p1'), patient('p2')],
  };
  for (const [name, resources] of Object.entries(files)) {
    await writeFile(join(folder, name), resources.map((one) => `${JSON.stringify(one)}\n`).join(''));
  }
  await writeFile(join(folder, 'broken.ndjson'), '{"resourceType":"Goal"\n\n');
  await writeFile(join(folder, 'readme.txt'), '');
  await writeFile(
    join(folder, 'bundle.json'),
    JSON.stringify({ resourceType: 'Bundle', entry: [{ resource: { ...goal, id: 'g2' } }] }, null, 2),
  );
  return folder;
};

test('a folder is imported once, and resources that cannot be imported are reported', async () => {
  const folder = await newFolder();
  const args = ['--empty', '--import', await exportFolder()];
  const first = await startServer(args, folder);
  expect(first.printed.out).toContain(
    'skipped, because it is not a file that ends in .ndjson, .json or either with .gz:\n  readme.txt\n',
  );
  expect(first.printed.out).toContain('imported: 2 Patient, 1 Encounter, 2 Goal, 1 Immunization\n');
  expect(first.printed.out).toContain('unchanged: nothing\n');
  expect(first.printed.out).toContain('unsupported: 1 Condition\n');
  expect(first.printed.out).toMatch(/issues: 2\n/);
  expect(first.printed.out).toMatch(/^ {2}Immunization\.ndjson:2: Immunization\/i2: .+$/m);
  expect(first.printed.out).toMatch(/^ {2}broken\.ndjson:1: Not valid JSON\.$/m);
  expect(first.printed.err).toMatch(/^Importing: 100 %, 9 read, \d+ imported$/m);
  const immunizations = await first.get('/Immunization?patient=p1');
  expect(immunizations.body).toMatchObject({
    total: 1,
    entry: [{ resource: { id: 'i1', primarySource: true } }],
  });
  await first.stop();

  const second = await startServer(args, folder);
  expect(second.printed.out).toContain('imported: nothing\n');
  expect(second.printed.out).toContain('unchanged: 2 Patient, 1 Encounter, 2 Goal, 1 Immunization\n');
  expect((await second.get('/Immunization?patient=p1')).body).toEqual(immunizations.body);
});

/** The resources that the importer reads from a folder or a file, and the names of the skipped files. */
const importFrom = async (path: string) => {
  const store = openSqliteStore({ filename: join(await newFolder(), 'clinic.db') });
  const { importer } = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const { sources, skipped } = findSources(path);
  const texts = readResources(sources, () => {});
  const { imported, issues } = await importer.load(texts);
  return {
    imported,
    issues: issues.map(({ file, line, rule }) => `${[file, line].join(':').replace(/:$/, '')} ${rule}`),
    passedOver: skipped.toSorted(),
  };
};

const bundleOf = (...resources: object[]) => ({
  resourceType: 'Bundle',
  type: 'collection',
  entry: resources.map((resource) => ({ resource })),
});
const line = (resource: object) => `${JSON.stringify(resource)}\n`;

test('invalid UTF-8 is a problem of its line or of its file, and everything else is imported', async () => {
  const folder = await newFolder();
  const bad = { ...patient('p1'), name: [{ family: 'Müller' }] };
  await writeFile(join(folder, 'a.json'), JSON.stringify(bad), 'latin1');
  await writeFile(join(folder, 'b.ndjson'), line(patient('p2')) + line(bad) + line(patient('p3')), 'latin1');
  expect(await importFrom(folder)).toMatchObject({
    imported: { Patient: 2 },
    issues: ['a.json invalid-utf-8', 'b.ndjson:2 invalid-utf-8'],
  });
});

test('a compressed file is imported, and a damaged one is a problem at the place of the damage', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a.json.gz'), gzipSync(JSON.stringify(bundleOf(patient('p1')))));
  const patients = Array.from({ length: 5_000 }, (_, at) => line(patient(`${at}-${randomUUID()}`)));
  const whole = gzipSync(patients.join(''));
  await writeFile(join(folder, 'b.ndjson.gz'), whole.subarray(0, whole.length / 2));
  await writeFile(join(folder, 'c.ndjson.gz'), '');
  await writeFile(join(folder, 'd.ndjson.gz'), gzipSync(line(patient('p2'))));
  const { imported, issues } = await importFrom(folder);
  const reached = (imported.Patient ?? 0) - 2;
  expect(reached).toBeGreaterThan(1_000);
  expect(issues).toEqual([`b.ndjson.gz:${reached + 1} damaged`, 'c.ndjson.gz:1 damaged']);
});

test('a text of more than 64 MiB is a problem, even if its file is small because it is compressed', async () => {
  const folder = await newFolder();
  const long = Buffer.concat([Buffer.alloc(64 * 1024 * 1024, ' '), Buffer.from(line(patient('p1')))]);
  const packed = gzipSync(long, { level: 1 });
  await writeFile(join(folder, 'a.json.gz'), packed);
  await writeFile(join(folder, 'b.ndjson.gz'), packed);
  await writeFile(join(folder, 'c.json'), long);
  await writeFile(join(folder, 'd.json.gz'), gzipSync(JSON.stringify(patient('p2'))));
  expect(await importFrom(folder)).toMatchObject({
    imported: { Patient: 1 },
    issues: ['a.json.gz too-long', 'b.ndjson.gz:1 too-long', 'c.json too-long'],
  });
});

test.each([
  ['pretty.ndjson', (text: string) => text],
  ['pretty.ndjson.gz', gzipSync],
])('a Bundle over many lines is imported from %s', async (name, packed) => {
  const folder = await newFolder();
  const pretty = JSON.stringify(bundleOf(patient('p1'), { ...goal, subject: {} }), null, 2);
  await writeFile(join(folder, name), packed(`\n${pretty}\n`));
  const { imported, issues } = await importFrom(folder);
  expect([imported, issues.map((issue) => issue.split(' ')[0])]).toEqual([{ Patient: 1 }, [name]]);
});

test('a single file is imported, whatever else is in its folder', async () => {
  const folder = await newFolder();
  const [one, other] = ['one.ndjson', 'other.ndjson'].map((name) => join(folder, name)) as [string, string];
  await writeFile(one, line(patient('p1')));
  await writeFile(other, line(patient('p2')));
  expect(await importFrom(one)).toEqual({ imported: { Patient: 1 }, issues: [], passedOver: [] });
});

test('hidden files, and entries that are not files, are not read', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a.ndjson'), line(patient('p1')));
  await writeFile(join(folder, '._a.ndjson'), 'left by another system');
  await promisify(execFile)('mkfifo', [join(folder, 'pipe.ndjson')]);
  await mkdir(join(folder, 'folder.json'));
  expect(await importFrom(folder)).toEqual({
    imported: { Patient: 1 },
    issues: [],
    passedOver: ['folder.json', 'pipe.ndjson'],
  });
  expect(() => findSources(join(folder, 'pipe.ndjson'))).toThrow(
    new CommandError(
      `${join(folder, 'pipe.ndjson')} is not a file that ends in .ndjson, .json or either with .gz`,
    ),
  );
});

test('a file of another format is named, with what to convert it to', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'a.ndjson'), line(patient('p1')));
  const document = '<ClinicalDocument xmlns="urn:hl7-org:v3"/>';
  await writeFile(join(folder, 'ccd.xml'), document);
  await writeFile(join(folder, 'adt.hl7'), 'MSH|^~\\&|LAB');
  await writeFile(join(folder, 'photo.bin'), Buffer.from([0xff, 0xd8, 0xff]));
  expect((await importFrom(folder)).passedOver).toEqual([
    'adt.hl7. This is HL7 version 2. Convert it to FHIR R4 in JSON.',
    'ccd.xml. This is a C-CDA document. Convert it to a FHIR R4 Bundle in JSON.',
    'photo.bin',
  ]);
  expect(() => findSources(join(folder, 'ccd.xml'))).toThrow('This is a C-CDA document.');
});

test('every problem is written to a file of its own, however many there are', async () => {
  const folder = await newFolder();
  await writeFile(join(folder, 'bad.ndjson'), '{}\n'.repeat(1_500));
  const server = await startServer(['--empty', '--data', 'clinic.db', '--import', 'bad.ndjson'], folder);
  expect(server.printed.out).toContain('issues: 1500\nby rule: 1500 not-a-resource\n  bad.ndjson:1: ');
  expect(server.printed.out).toContain('\n  and 500 more\nall of them are in clinic.db.import-issues.txt\n');
  const file = join(folder, 'clinic.db.import-issues.txt');
  const written = (await readFile(file, 'utf8')).trimEnd().split('\n');
  expect([written.length, written.at(-1)]).toEqual([
    1_500,
    'bad.ndjson:1500: Not a FHIR resource with a resourceType and an id.',
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('an import without a problem leaves no file with the problems of the one before', async () => {
  const folder = await newFolder();
  const file = join(folder, 'problems.txt');
  await writeFile(file, 'Goal/lost: There is no such patient.');
  createIssueFile(file).close();
  await expect(stat(file)).rejects.toMatchObject({ code: 'ENOENT' });
  await writeFile(file, '', { mode: 0o644 });
  const issueFile = createIssueFile(file);
  issueFile.write('Goal/lost');
  issueFile.close();
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test('the content of a file cannot forge a line of the report or control the terminal', () => {
  const id = 'p\u001b[31m\n  imported: 1000';
  const message = 'There is no such patient.';
  const report = {
    imported: {},
    updated: {},
    unchanged: {},
    unsupported: { 'X\u0007\nissues: none': 1 },
    lostElements: { 'Goal.category': 2 },
    removedElements: { 'Goal.note': 1 },
    issuesByRule: { 'unknown-patient': 1 },
    warningsByRule: {},
    warnings: [],
    issues: [
      {
        type: 'Goal',
        id,
        item: 1,
        file: 'a\u0007.json',
        outcome: 'rejected',
        severity: 'error',
        rule: 'unknown-patient',
        message,
      },
    ],
  } as const;
  const lines = reportText(report, { passedOver: [], issueFile: 'a\u0007.txt' }).split('\n');
  expect(lines).toEqual([
    'imported: nothing',
    'updated: nothing',
    'unchanged: nothing',
    'unsupported: 1 X\ufffd\ufffdissues: none',
    'not stored, or read with another value, of resources that were imported or unchanged:',
    '  2  Goal.category',
    'no longer there, of resources that were updated:',
    '  1  Goal.note',
    'issues: 1',
    'by rule: 1 unknown-patient',
    '  a\ufffd.json: Goal/p\ufffd[31m\ufffd  imported: 1000: There is no such patient.',
    'all of them are in a\ufffd.txt',
  ]);
});

test('of the warnings of a rule, their number and the first three are printed', () => {
  const warning = (item: number): ImportIssue => ({
    type: 'Goal',
    id: `g${item}`,
    item,
    outcome: 'unchanged',
    severity: 'warning',
    rule: 'left-out',
    expression: 'Goal.priority',
    message: 'Left out.',
  });
  const report = {
    ...{
      imported: {},
      updated: {},
      unchanged: { Goal: 5 },
      unsupported: {},
      lostElements: {},
      removedElements: {},
      issuesByRule: {},
      issues: [],
    },
    warningsByRule: { 'left-out': 5, late: 1_000 },
    warnings: [1, 2, 3, 4, 5].map(warning),
  };
  expect(reportText(report, { passedOver: [], issueFile: 'all.txt' }).split('\n').slice(5)).toEqual([
    'warnings: 1005',
    '  left-out: 5',
    ...[1, 2, 3].map((id) => `    warning: Goal/g${id}: Goal.priority: Left out.`),
    '    and 2 more',
    '  late: 1000',
    '    and 1000 more',
    'all of them are in all.txt',
  ]);
});

test('an import that is stopped says so, keeps what it has imported, and imports the rest when it runs again', async () => {
  const folder = await newFolder();
  const goals = Array.from({ length: 2_000 }, (_, at) => ({ ...goal, id: `g${at}` }));
  await writeFile(join(folder, 'Patient.json'), JSON.stringify(patient('p1')));
  await writeFile(
    join(folder, 'bundle.json'),
    JSON.stringify({ resourceType: 'Bundle', entry: goals.map((resource) => ({ resource })) }),
  );
  const store = openSqliteStore({ filename: join(await newFolder(), 'clinic.db') });
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const total = async () => (await records.goals.search({ _count: 0 })).total;
  const stopping = new AbortController();
  const isBegun = (text: string) => text.includes(' 512 imported');
  const { sources } = findSources(folder);
  const importing = (signal: AbortSignal) =>
    importSources(records, sources, {
      signal,
      screen: { isTTY: true, write: (text) => isBegun(text) && stopping.abort() },
      issueFile: createIssueFile(join(folder, 'problems.txt')),
    });
  await expect(importing(stopping.signal)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('was stopped'),
  });
  expect(await total()).toBe(511);
  const report = await importing(new AbortController().signal);
  expect(report).toMatchObject({ imported: { Goal: 1_489 }, unchanged: { Goal: 511 }, issues: [] });
  expect(await total()).toBe(2_000);
});

/** Files in the form in which two servers publish their exports, as far as their resources differ from those of others. */
const foreignExports = {
  Medplum: () => {
    const id = (number: number) => `0198f6a0-0000-7000-8000-00000000000${number}`;
    const meta = (number: number) => ({
      ...{
        versionId: id(number + 5),
        lastUpdated: '2026-02-01T10:20:30.456Z',
        project: id(9),
        author: { reference: `Practitioner/${id(2)}` },
      },
      compartment: [{ reference: `Project/${id(9)}` }, { reference: `Patient/${id(1)}` }],
    });
    return [
      {
        resourceType: 'Patient',
        id: id(1),
        meta: meta(1),
        name: [{ given: ['Ida'], family: 'Novak' }],
        birthDate: '1961-08-23',
      },
      { resourceType: 'Practitioner', id: id(2), meta: meta(2), name: [{ given: ['Eve'], family: 'Hill' }] },
      {
        ...{
          resourceType: 'Goal',
          id: id(3),
          meta: meta(3),
          lifecycleStatus: 'active',
          description: { text: 'Walk' },
        },
        ...{
          subject: { reference: `Patient/${id(1)}`, display: 'Ida Novak' },
          expressedBy: { reference: `Practitioner/${id(2)}` },
        },
      },
      {
        ...{
          resourceType: 'Immunization',
          id: id(4),
          meta: meta(4),
          status: 'completed',
          occurrenceDateTime: '2025-10-01T09:00:00.000Z',
        },
        vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
        patient: { reference: `Patient/${id(1)}` },
      },
    ];
  },
  HAPI: () => {
    const meta = {
      versionId: '1',
      lastUpdated: '2026-02-01T10:20:30.456+00:00',
      source: '#a1B2c3D4e5F6g7H8',
    };
    const text = { status: 'generated', div: '<div xmlns="http://www.w3.org/1999/xhtml">Ida</div>' };
    return [
      {
        resourceType: 'Patient',
        id: '1001',
        meta,
        text,
        name: [{ family: 'Novak', given: ['Ida'] }],
        gender: 'female',
      },
      { resourceType: 'Organization', id: '1002', meta, name: 'Clinic' },
      {
        ...{
          resourceType: 'ServiceRequest',
          id: '1003',
          meta,
          status: 'active',
          intent: 'order',
          authoredOn: '2026-01-05T08:00:00+00:00',
        },
        category: [{ coding: [{ system: 'http://snomed.info/sct', code: '108252007' }] }],
        code: {
          coding: [{ system: 'http://snomed.info/sct', code: '26604007', display: 'Complete blood count' }],
        },
        subject: { reference: 'Patient/1001' },
      },
      {
        resourceType: 'CareTeam',
        id: '1004',
        meta,
        subject: { reference: 'Patient/1001' },
        participant: [{ member: { reference: 'Organization/1002' } }],
      },
    ];
  },
};

test.each(Object.entries(foreignExports))(
  'the published form of an $export of %s, with its manifest beside the files, is imported without an issue',
  async (_server, resourcesOf) => {
    const folder = await newFolder();
    const resources = resourcesOf();
    const output = resources.map(({ resourceType: type }) => ({
      type,
      url: `https://server.example/Binary/${type}`,
    }));
    const manifest = {
      ...{ transactionTime: '2026-02-02T00:00:00.000Z', request: 'https://server.example/fhir/$export' },
      ...{ requiresAccessToken: true, output, error: [], deleted: [] },
    };
    await writeFile(join(folder, 'manifest.json'), JSON.stringify(manifest, null, 2));
    for (const resource of resources)
      await writeFile(join(folder, `${resource.resourceType}.0.ndjson`), `${JSON.stringify(resource)}\n`);
    const { sources, skipped } = findSources(folder);
    expect([sources.length, skipped]).toEqual([resources.length, []]);
    const { importer } = createClinicalRecords({
      store: openSqliteStore({ filename: ':memory:' }),
      ...{ extensionBase, careTeamRoles },
    });
    const report = await importer.load(readResources(sources, () => {}));
    expect(report.issues).toEqual([]);
    expect(Object.keys(report.imported).toSorted()).toEqual(output.map(({ type }) => type).toSorted());
    expect((await importer.load(readResources(sources, () => {}))).imported).toEqual({});
  },
);
