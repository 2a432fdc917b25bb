import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClinicalRecords, orThrow } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterAll, expect, test } from 'vitest';
import { importSources } from '../import/import-sources.ts';
import { reportText } from '../import/report.ts';
import { resourcesOf } from '../import/resources.ts';
import { sourcesIn } from '../import/sources.ts';
import { Refusal } from '../refusal.ts';
import { careTeamRoles, extensionBase } from '../settings.ts';
import { endAll, newFolder, start } from './running-server.ts';

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
const exported = async (): Promise<string> => {
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
  await writeFile(join(folder, 'Goal.ndjson.gz'), '');
  await writeFile(
    join(folder, 'bundle.json'),
    JSON.stringify({ resourceType: 'Bundle', entry: [{ resource: { ...goal, id: 'g2' } }] }, null, 2),
  );
  return folder;
};

test('a folder is taken in once, and what cannot be taken is told', async () => {
  const folder = await newFolder();
  const args = ['--empty', '--import', await exported()];
  const first = await start(args, folder);
  expect(first.printed.out).toContain('passed over, as no *.ndjson and no *.json: Goal.ndjson.gz\n');
  expect(first.printed.out).toContain('taken: 2 Patient, 1 Encounter, 2 Goal, 1 Immunization\n');
  expect(first.printed.out).toContain('already here: nothing\n');
  expect(first.printed.out).toContain('not kept: 1 Condition\n');
  expect(first.printed.out).toMatch(/problems: 2\n/);
  expect(first.printed.out).toMatch(/^ {2}Immunization\.ndjson:2: Immunization\/i2: .+$/m);
  expect(first.printed.out).toMatch(/^ {2}broken\.ndjson:1: This is no JSON\.$/m);
  expect(first.printed.err).toMatch(/^Importing: 100 %, 9 read, \d+ taken$/m);
  const immunizations = await first.get('/Immunization?patient=p1');
  expect(immunizations.body).toMatchObject({
    total: 1,
    entry: [{ resource: { id: 'i1', primarySource: true } }],
  });
  await first.stop();

  const second = await start(args, folder);
  expect(second.printed.out).toContain('taken: nothing\n');
  expect(second.printed.out).toContain('already here: 2 Patient, 1 Encounter, 2 Goal, 1 Immunization\n');
  expect((await second.get('/Immunization?patient=p1')).body).toEqual(immunizations.body);
});

test.each(['Patient.json', 'Patient.ndjson'])(
  '%s that is not in UTF-8 is refused, and not garbled',
  async (name) => {
    const folder = await newFolder();
    const resource = { ...patient('p1'), name: [{ family: 'Müller' }] };
    await writeFile(join(folder, name), JSON.stringify(resource), 'latin1');
    const reading = async () => {
      const { texts } = resourcesOf(sourcesIn(folder).sources, () => {});
      for await (const text of texts) expect(text).toBe('');
    };
    await expect(reading()).rejects.toThrow(Refusal);
  },
);

test('what a file says forges no line of the report, and nothing on the screen', () => {
  const id = 'p\u001b[31m\n  taken: 1000';
  const reason = 'There is no such patient.';
  const problems = [{ type: 'Goal', id, item: 1, reason }];
  const report = { taken: {}, alreadyHere: {}, notKept: { 'X\u0007\nproblems: none': 1 }, problems };
  const lines = reportText({ report, placeOf: () => 'a\u0007.json' }, []).split('\n');
  expect(lines).toEqual([
    'taken: nothing',
    'already here: nothing',
    'not kept: 1 X\ufffd\ufffdproblems: none',
    'problems: 1',
    '  a\ufffd.json: Goal/p\ufffd[31m\ufffd  taken: 1000: There is no such patient.',
  ]);
});

test('an import that is stopped says so, keeps what was taken, and takes the rest when it is done again', async () => {
  const folder = await newFolder();
  const goals = Array.from({ length: 2_000 }, (_, at) => ({ ...goal, id: `g${at}` }));
  await writeFile(join(folder, 'Patient.json'), JSON.stringify(patient('p1')));
  await writeFile(
    join(folder, 'bundle.json'),
    JSON.stringify({ resourceType: 'Bundle', entry: goals.map((resource) => ({ resource })) }),
  );
  const store = openSqliteStore({ filename: join(await newFolder(), 'clinic.db') });
  const records = createClinicalRecords({ store, extensionBase, careTeamRoles });
  const total = async () => (await orThrow(records.goals.search({ _count: 0 }))).total;
  const stopping = new AbortController();
  const isBegun = (text: string) => text.includes(' 257 taken');
  const { sources } = sourcesIn(folder);
  const importing = (signal: AbortSignal) =>
    importSources(records, sources, {
      signal,
      screen: { isTTY: true, write: (text) => isBegun(text) && stopping.abort() },
    });
  await expect(importing(stopping.signal)).rejects.toMatchObject({
    exitCode: 1,
    message: expect.stringContaining('was stopped'),
  });
  expect(await total()).toBe(256);
  const { report } = await importing(new AbortController().signal);
  expect(report).toMatchObject({ taken: { Goal: 1_744 }, alreadyHere: { Goal: 256 }, problems: [] });
  expect(await total()).toBe(2_000);
});
