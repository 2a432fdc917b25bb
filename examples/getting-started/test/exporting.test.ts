import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { expect, test } from 'vitest';
import { exportChart, exportTo } from '../exporting.ts';

const openClinic = async () => {
  const records = createClinicalRecords({
    store: openSqliteStore({ filename: ':memory:' }),
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
  });
  await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
  await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
  const goal = { kind: 'goal', id: 'walk', patientId: '7', description: 'Walk' } as const;
  await records.chart.record(goal, { by: 'Practitioner/12' });
  return records;
};

test('an export writes a line for each resource, for the file of its type', async () => {
  const files = new Map<string, string>();
  await exportTo(await openClinic(), (file, line) => files.set(file, (files.get(file) ?? '') + line));
  expect([...files.keys()].toSorted()).toEqual(['Goal.ndjson', 'Patient.ndjson', 'Practitioner.ndjson']);
  expect(files.get('Goal.ndjson')).toMatch(/^\{"resourceType":"Goal","id":"walk",.*\}\n$/);
});

test('an export of a chart has what changed, and nothing else', async () => {
  const records = await openClinic();
  expect(await exportChart(records, '7', new Date(0))).toHaveLength(4);
  expect(await exportChart(records, '7', new Date(Date.now() + 60_000))).toEqual([]);
});
