import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { importBundle, importFiles } from '../importing.ts';
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

test('a bundle is reported as the document shows, and is imported only once', async () => {
  const report = await importBundle(clinic.records);
  expect(report).toEqual(JSON.parse(textOf('shown/import-report.json')));
  expect(await clinic.records.goals.read('walk')).toMatchObject({ lifecycleStatus: 'active' });
  expect(await importBundle(clinic.records)).toEqual({
    ...report,
    imported: {},
    unchanged: report.imported,
    warnings: report.warnings.map((warning) => ({ ...warning, outcome: 'unchanged' })),
  });
});

test('a goal is imported whose patient is in another file of the same load, in any order', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const folder = newFolder();
  const writeFile = (name: string, resource: object) => {
    const path = join(folder, name);
    writeFileSync(path, `${JSON.stringify(resource)}\n`);
    return path;
  };
  const goals = writeFile('Goal.ndjson', {
    resourceType: 'Goal',
    id: 'walk',
    lifecycleStatus: 'active',
    description: { text: 'Walk 5 km a day' },
    subject: { reference: 'Patient/eve' },
  });
  const patients = writeFile('Patient.ndjson', {
    resourceType: 'Patient',
    id: 'eve',
    name: [{ family: 'Hill' }],
  });

  expect(await importFiles(clinic.records, [goals])).toMatchObject({
    issuesByRule: { 'unknown-patient': 1 },
  });
  const { imported, issues } = await importFiles(clinic.records, [goals, patients]);
  expect({ imported, issues }).toEqual({ imported: { Patient: 1, Goal: 1 }, issues: [] });
  log.mockRestore();
});

test('a file is imported line by line, and a line that is not JSON does not stop the import', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const patient = (id: string) => JSON.stringify({ resourceType: 'Patient', id, name: [{ family: 'Hill' }] });
  const path = join(newFolder(), 'Patient.ndjson');
  writeFileSync(path, [patient('eve'), '', '{', patient('kim'), ''].join('\n'));
  const report = await importFiles(clinic.records, [path]);
  expect(report).toEqual({
    imported: { Patient: 2 },
    updated: {},
    unchanged: {},
    unsupported: {},
    lostElements: {},
    removedElements: {},
    issuesByRule: { 'invalid-json': 1 },
    issues: [
      {
        type: '',
        id: '',
        item: 3,
        file: path,
        line: 3,
        outcome: 'rejected',
        severity: 'error',
        rule: 'invalid-json',
        message: 'Not valid JSON.',
      },
    ],
    warningsByRule: {},
    warnings: [],
  });
  expect(log).toHaveBeenLastCalledWith('3 read, 2 imported');
  log.mockRestore();
});
