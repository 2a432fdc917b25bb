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

test('a bundle is reported as the document shows, and is imported only once', async () => {
  const report = await importBundle(clinic.records);
  expect(report).toEqual(JSON.parse(textOf('shown/import-report.json')));
  expect(await clinic.records.goals.read('walk')).toMatchObject({ lifecycleStatus: 'active' });
  expect(await importBundle(clinic.records)).toEqual({
    ...report,
    imported: {},
    unchanged: report.imported,
    lostElements: {},
    warnings: report.warnings.map((warning) => ({ ...warning, outcome: 'unchanged' })),
  });
});

test('a file is imported line by line, and a line that is not JSON does not stop the import', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  const patient = (id: string) => JSON.stringify({ resourceType: 'Patient', id, name: [{ family: 'Hill' }] });
  const path = join(newFolder(), 'Patient.ndjson');
  writeFileSync(path, [patient('eve'), '', '{', patient('kim'), ''].join('\n'));
  const report = await importFile(clinic.records, path);
  expect(report).toEqual({
    imported: { Patient: 2 },
    unchanged: {},
    unsupported: {},
    lostElements: {},
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
