import {
  buildDose,
  buildPatient,
  buildPractitioner,
  buildTeam,
  createTestRecords,
} from '@clinical-records/core/testing';
import { createMemoryStore } from '@clinical-records/store-memory';
import { expect, test } from 'vitest';

// #region dose
test('a dose of this morning is in the chart', async () => {
  const { records, clock } = createTestRecords({ store: createMemoryStore() });
  await records.directory.put('Patient', buildPatient({ id: '7' }));
  await records.directory.put('Practitioner', buildPractitioner({ id: '12' }));
  await records.careTeams.update('7', buildTeam('7', ['Practitioner/12']));

  clock.set('2026-03-02T08:15:00Z');
  const { id } = await records.immunizations.create(buildDose({ occurrenceDateTime: '2026-03-02' }), {
    by: 'Practitioner/12',
  });

  const dose = await records.immunizations.read(id);
  expect(dose.meta?.lastUpdated).toBe('2026-03-02T08:15:00.000+00:00');
});
// #endregion
