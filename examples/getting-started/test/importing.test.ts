import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importBundle, importFile } from '../importing.ts';
import { newFolder, textOf } from './files.ts';

const open = () => {
  const store = openSqliteStore({ filename: ':memory:' });
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  return { store, records };
};

let clinic: ReturnType<typeof open>;

beforeEach(() => {
  clinic = open();
});

afterEach(async () => {
  await clinic.store.close();
});

test('a bundle is reported as the document shows, and taken once', async () => {
  const report = await importBundle(clinic.records);
  expect(report).toEqual(JSON.parse(textOf('shown/import-report.json')));
  expect(await clinic.records.goals.read('walk')).toMatchObject({ lifecycleStatus: 'active' });
  expect(await importBundle(clinic.records)).toEqual({ ...report, taken: {}, alreadyHere: report.taken });
});

test('a file is taken in line by line, and a line that is no JSON stops nothing', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const patient = (id: string) => JSON.stringify({ resourceType: 'Patient', id, name: [{ family: 'Hill' }] });
  const path = join(newFolder(), 'Patient.ndjson');
  writeFileSync(path, [patient('eve'), '', '{', patient('kim'), ''].join('\n'));
  const report = await importFile(clinic.records, path);
  expect(report).toEqual({
    taken: { Patient: 2 },
    alreadyHere: {},
    notKept: {},
    issuesByRule: { 'no-json': 1 },
    issues: [{ type: '', id: '', item: 3, rule: 'no-json', reason: 'This is no JSON.' }],
  });
  expect(log).toHaveBeenLastCalledWith('3 read, 2 imported');
  log.mockRestore();
});
