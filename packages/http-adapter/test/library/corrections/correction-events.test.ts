import type { AccessEvent } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { goal, labOrder } from '../../builders.ts';
import { createRecords, openClinic } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';

const store = createMemoryStore();
const clinic = await openClinic(store);
for (const id of ['1', '2', '3']) await clinic.record(goal({ id, patientId: 'amy' }));
await clinic.records.directory.put('Patient', { id: 'cyd', lastName: 'Doe', firstName: 'Cyd' });
await clinic.record(labOrder({ id: '9', patientId: 'cyd' }));

const events: AccessEvent[] = [];
beforeEach(() => {
  events.length = 0;
});
const { corrections } = createRecords(store, { onAccess: (event) => events.push(event) });
const unrecorded = createRecords(store, {
  onAccess: () => {
    throw new Error('The log is full.');
  },
}).corrections;

const statement = { by: 'Practitioner/ada', reason: 'Wrong chart.' } as const;
const move = { ...statement, resourceType: 'Goal', resourceId: '1', toPatientId: 'ben' } as const;
const inProcess = { by: statement.by, status: null, requestId: null, address: null, client: null, query: '' };
const goalOf = (patientId: string, { id = '1', version = 2 } = {}) => ({
  type: 'Goal',
  id,
  version,
  patientId,
});

describe('each correction is one event, which names both patients and every version that was written', () => {
  test('a move is an update', async () => {
    await corrections.moveToPatient(move);
    expect(events).toEqual([
      {
        ...{ ...inProcess, at: expect.any(Number), interaction: 'update', resourceType: 'Goal', id: '1' },
        ...{ resources: [goalOf('ben')], patientIds: ['ben', 'amy'], outcome: 'success', rules: [] },
      },
    ]);
  });

  test('a merge is an update of the patient who is replaced', async () => {
    await corrections.mergePatients({ ...statement, patientId: 'cyd', toPatientId: 'ben' });
    expect(events).toMatchObject([
      { interaction: 'update', resourceType: 'Patient', id: 'cyd', patientIds: ['ben', 'cyd'] },
    ]);
    expect(events[0]?.resources).toContainEqual({
      ...{ type: 'ServiceRequest', id: '9', version: 2, patientId: 'ben' },
    });
  });

  test('an erasure is a delete', async () => {
    await corrections.erase({ ...statement, resourceType: 'Goal', resourceId: '2' });
    expect(events).toMatchObject([{ interaction: 'delete', id: '2', patientIds: ['amy'] }]);
    expect(events[0]?.resources).toEqual([
      goalOf('amy', { id: '2' }),
      { ...goalOf('amy', { id: 'Goal.2.0' }), type: 'Command' },
    ]);
  });

  test('a refused correction', async () => {
    await expect(
      outcomeOf(corrections.moveToPatient({ ...move, resourceId: 'none' })),
    ).resolves.toHaveProperty('left');
    expect(events).toMatchObject([
      { id: 'none', outcome: 'refused', rules: ['not-found'], resources: [], patientIds: [] },
    ]);
  });
});

test('a question for corrections names nobody, so it makes no event', async () => {
  await corrections.of({ resourceType: 'Goal', resourceId: '1' });
  expect(events).toEqual([]);
});

test('a correction without an author is refused, and makes no event', async () => {
  const { by: _by, ...nobody } = move;
  await expect(outcomeOf(corrections.moveToPatient(nobody as never))).resolves.toHaveProperty('left');
  expect(events).toEqual([]);
});

test('if the event cannot be recorded, the correction says that it may be made', async () => {
  const erasure = { ...statement, resourceType: 'Goal', resourceId: '3' } as const;
  expect(await outcomeOf(unrecorded.erase(erasure))).toMatchObject({
    left: { issues: [{ rule: 'unrecorded-write' }] },
  });
  expect(await corrections.of({ resourceType: 'Goal', resourceId: '3' })).toHaveLength(1);
});
