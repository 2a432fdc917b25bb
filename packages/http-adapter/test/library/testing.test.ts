import type { ClinicalRecords } from '@clinical-records/core';
import {
  buildDose,
  buildGoal,
  buildOrder,
  buildOrganization,
  buildPatient,
  buildPractitioner,
  buildTeam,
  createTestRecords,
} from '@clinical-records/core/testing';
import { createMemoryStore } from '@clinical-records/store-memory';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';

const by = { by: 'Practitioner/12' } as const;

const fill = async ({ directory }: ClinicalRecords) => {
  await directory.put('Patient', buildPatient());
  await directory.put('Practitioner', buildPractitioner());
  await directory.put('Organization', buildOrganization());
};

describe.each([
  ['memory', createMemoryStore],
  ['sqlite', () => openSqliteStore({ database: new Database(':memory:') })],
])('records for the tests of a host (%s)', (_, createStore) => {
  test('take whatever the builders build', async () => {
    const { records } = createTestRecords({ store: createStore() });
    await fill(records);
    await records.careTeams.update('7', buildTeam('7', ['Practitioner/12', 'Organization/31']), by);
    await records.chart.record(buildGoal(), by);
    await records.chart.record(buildOrder(), by);
    await records.immunizations.create(buildDose(), by);
    expect((await records.careTeams.read('7')).participant).toHaveLength(2);
    expect((await records.verify()).discrepancies).toEqual([]);
  });

  test('make the same ids and times in each run', async () => {
    const { records, clock } = createTestRecords({ store: createStore(), start: '2026-05-01T08:00:00Z' });
    await fill(records);
    const first = await records.chart.record(buildOrder(), by);
    clock.advance(60_000);
    const second = await records.chart.record(buildOrder(), by);
    expect([first.resourceId, second.resourceId]).toEqual(['test-1', 'test-2']);
    expect((await records.serviceRequests.read('test-2')).authoredOn).toBe('2026-05-01T08:01:00.000+00:00');
  });

  test('refuse what breaks a rule, as any records do', async () => {
    const { records } = createTestRecords({ store: createStore() });
    await fill(records);
    const dose = buildDose({ patient: { reference: 'Patient/unknown' } });
    await expect(records.immunizations.create(dose, by)).rejects.toThrow('RuleViolation');
  });
});

test('a builder overrides only what is given', () => {
  expect(buildPatient({ id: '8' })).toEqual({ id: '8', lastName: 'Shaw', firstName: 'Amy' });
  expect(buildGoal({ description: 'Sleep' })).toMatchObject({ patientId: '7', description: 'Sleep' });
});

test('a team has a role for each practitioner, or there is none', () => {
  const ids = ['1', '2', '3', '4'].map((id) => `Practitioner/${id}` as const);
  const roles = buildTeam('7', ids.slice(0, 3)).participant?.map(({ role }) => role?.[0]?.coding[0]?.code);
  expect(new Set(roles).size).toBe(3);
  expect(() => buildTeam('7', ids)).toThrow('There are only 3 roles for practitioners.');
});

test('a clock takes no text that is not a time', () => {
  const { clock } = createTestRecords({ store: createMemoryStore() });
  expect(() => clock.set('tomorrow')).toThrow('tomorrow is not a time such as 2026-03-01T09:30:00Z.');
  expect(clock.now().toISOString()).toBe('2026-03-01T09:00:00.000Z');
});
