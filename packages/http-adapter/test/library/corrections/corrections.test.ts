import type { RecordMove } from '@clinical-records/core';
import type { ChartResourceType } from '@clinical-records/core/adapter';
import { describe, expect, test } from 'vitest';
import { goal, hemoglobin, immunize, labOrder, oneCommandOfEach } from '../../builders.ts';
import { createRecords } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { idsOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const why = { by: 'Practitioner/cyd', reason: 'Two charts were open.' } as const;

const types: readonly ChartResourceType[] = ['ServiceRequest', 'Goal', 'Immunization'];

onEveryStore('records.corrections.moveToPatient', (clinic) => {
  const moveToBen = async (resourceType: ChartResourceType, resourceId: string) =>
    clinic().records.corrections.moveToPatient({ resourceType, resourceId, toPatientId: 'ben', ...why });
  const inChart = async (type: ChartResourceType, patientId: string) =>
    idsOf(await clinic().get(`/${type}?patient=${patientId}`));

  describe.each(types)('a %s', (type) => {
    test('is in the other chart, in one commit, and the old chart has it no longer', async () => {
      for (const command of oneCommandOfEach({ id: 'x' })) await clinic().record(command);
      const correction = await moveToBen(type, 'x');
      expect(await inChart(type, 'amy')).toEqual([]);
      expect(await inChart(type, 'ben')).toEqual(['x']);
      const { records } = clinic();
      const [moved, recorded] =
        await records[
          type === 'Goal' ? 'goals' : type === 'Immunization' ? 'immunizations' : 'serviceRequests'
        ].history('x');
      expect([moved?.by, recorded?.by]).toEqual([why.by, 'Practitioner/ada']);
      expect(JSON.stringify(moved?.resource)).not.toMatch(/amy/);
      expect(correction).toMatchObject({
        ...{ kind: 'move', patientId: 'amy', toPatientId: 'ben', at: moved?.at, ...why },
        records: [{ type, id: 'x', version: 2 }],
      });
    });

    test('has versions for a reader of one chart only from the time in that chart', async () => {
      for (const command of oneCommandOfEach({ id: 'x' })) await clinic().record(command);
      await moveToBen(type, 'x');
      const { get } = clinic();
      expect((await get(`/${type}/x`, { token: 'amy' })).status).toBe(404);
      expect((await get(`/${type}/x/_history`, { token: 'amy' })).status).toBe(404);
      expect((await get(`/${type}/x/_history/1`, { token: 'amy' })).status).toBe(404);
      await clinic().records.corrections.moveToPatient({
        ...{ resourceType: type, resourceId: 'x', toPatientId: 'amy', ...why },
      });
      const history = await get(`/${type}/x/_history`, { token: 'amy' });
      expect(history.json.entry.map(({ resource }: { resource: { meta: object } }) => resource.meta)).toEqual(
        [expect.objectContaining({ versionId: '3' }), expect.objectContaining({ versionId: '1' })],
      );
      expect((await get(`/${type}/x/_history/2`, { token: 'amy' })).status).toBe(404);
    });
  });

  test('the encounter, the note and other resources of the old chart are left behind', async () => {
    const condition = { reference: 'Condition/c' } as const;
    const kept = { reference: 'Organization/lab' } as const;
    await clinic().record(
      labOrder({
        ...{ id: 'order', reasonConditionIds: ['c'], encounter: { reference: 'Encounter/visit-amy' } },
        ...{ supportingInfo: [condition], performer: [{ reference: 'Patient/amy' }, kept] },
      }),
    );
    await clinic().record(
      immunize({
        ...{ encounterId: 'visit-amy', reasonReference: [condition], manufacturer: kept },
        reaction: [{ date: '2025-10-02', detail: { reference: 'Observation/o' } }],
        note: [{ text: 'Left arm', authorReference: { reference: 'Patient/amy' } }],
      }),
    );
    await moveToBen('ServiceRequest', 'order');
    await moveToBen('Immunization', 'shot');
    const { serviceRequests, immunizations, directory } = clinic().records;
    const order = await serviceRequests.read('order');
    expect([order.performer, order.subject.reference]).toEqual([
      [{ ...kept, type: 'Organization' }],
      'Patient/ben',
    ]);
    expect(JSON.stringify(order)).not.toMatch(/Condition|Encounter|amy/);
    const shot = await immunizations.read('shot');
    expect(shot).toMatchObject({
      manufacturer: kept,
      reaction: [{ date: '2025-10-02' }],
      note: [{ text: 'Left arm' }],
    });
    expect(JSON.stringify(shot)).not.toMatch(/Condition|Observation|Encounter|amy/);
    const noteId = shot.extension?.[0]?.valueId ?? '';
    expect(await directory.read('Note', noteId)).toMatchObject({ patientId: 'ben', encounterId: null });
  });

  test('a reference that is only a display is left behind where it may be to the old chart', async () => {
    const named = { type: 'Practitioner', display: 'Eve Hill' } as const;
    await clinic().record(
      labOrder({
        ...{ id: 'order', encounter: { type: 'Encounter', display: 'Visit of Amy' } },
        ...{ supportingInfo: [{ display: 'Condition of Amy' }], specimen: [{ display: 'Blood of Amy' }] },
        ...{
          performer: [{ type: 'Patient', display: 'Amy Shaw' }, named],
          bodySite: [{ coding: [hemoglobin] }],
        },
        locationReference: [{ display: 'Room 7' }],
      }),
    );
    await moveToBen('ServiceRequest', 'order');
    const order = await clinic().records.serviceRequests.read('order');
    expect(order).toMatchObject({
      ...{ performer: [named], bodySite: [{ coding: [hemoglobin] }] },
      locationReference: [{ display: 'Room 7' }],
    });
    expect(JSON.stringify(order)).not.toMatch(/Amy/);
  });

  test('the commands of the record go on in the other chart', async () => {
    const { id } = await clinic().stage(goal());
    await moveToBen('Goal', 'walk');
    expect(await clinic().commit(id)).toMatchObject({ patientId: 'ben', status: 'committed' });
    await clinic().record({ kind: 'closeGoal', goalId: 'walk' });
    expect(await clinic().records.goals.read('walk')).toMatchObject({ lifecycleStatus: 'completed' });
  });

  test('the corrections of a record and of both patients are found, oldest first', async () => {
    await clinic().record(goal());
    const there = await moveToBen('Goal', 'walk');
    const { corrections } = clinic().records;
    const back = await corrections.moveToPatient({
      ...{ resourceType: 'Goal', resourceId: 'walk', toPatientId: 'amy', ...why },
    });
    for (const corrected of [
      { resourceType: 'Goal', resourceId: 'walk' },
      { resourceType: 'Patient', resourceId: 'amy' },
      { resourceType: 'Patient', resourceId: 'ben' },
    ] as const) {
      expect(await corrections.of(corrected)).toEqual([there, back]);
    }
    expect(await corrections.of({ resourceType: 'Goal', resourceId: 'other' })).toEqual([]);
  });

  test('a limit to charts is refused, and not ignored', async () => {
    await clinic().record(goal());
    const { corrections } = clinic().records;
    const before = await clinic().feed();
    const limited = { within: ['ben'] } as object;
    const walk = { resourceType: 'Goal', resourceId: 'walk', ...limited } as const;
    for (const refused of [
      corrections.moveToPatient({ ...walk, toPatientId: 'ben', ...why }),
      corrections.mergePatients({ patientId: 'amy', toPatientId: 'ben', ...why, ...limited }),
      corrections.erase({ ...walk, ...why }),
      corrections.of(walk),
    ]) {
      expect(await outcomeOf<Promise<unknown>>(refused)).toMatchObject({
        left: {
          _tag: 'InvalidRequest',
          issues: [{ rule: 'unknown-element', expression: 'Correction.within' }],
        },
      });
    }
    expect(await clinic().feed()).toEqual(before);
  });

  test('consumers of the feed get the new version, with the patient to whom it belongs', async () => {
    await clinic().record(goal());
    await moveToBen('Goal', 'walk');
    const charts: (string | null)[] = [];
    for await (const { id, patientId } of clinic().records.changes())
      if (id === 'walk') charts.push(patientId);
    expect(charts).toEqual(['amy', 'ben']);
  });

  test('a move to a patient who is merged into another one at the same time is refused, and changes nothing', async () => {
    const { store, records } = clinic();
    await records.directory.put('Patient', { id: 'cat', lastName: 'Ray' });
    await clinic().record(goal());
    let isMerged = false;
    const { corrections } = createRecords({
      ...store,
      commit: async (commit) => {
        if (!isMerged) {
          isMerged = true;
          await records.corrections.mergePatients({ patientId: 'ben', toPatientId: 'cat', ...why });
        }
        return store.commit(commit);
      },
    });
    const move = { resourceType: 'Goal', resourceId: 'walk', toPatientId: 'ben', ...why } as const;
    await expect(async () => corrections.moveToPatient(move)).rejects.toMatchObject({
      issues: [{ rule: 'replaced-patient', expression: 'Correction.toPatientId' }],
    });
    expect(await inChart('Goal', 'amy')).toEqual(['walk']);
  });

  describe('a move that cannot be made is refused, and changes nothing', () => {
    const move = { resourceType: 'Goal', resourceId: 'walk', toPatientId: 'ben', ...why } as const;
    test.each<readonly [Partial<Record<keyof RecordMove, string>>, string]>([
      [{ resourceType: 'CareTeam' }, 'value at Correction.resourceType'],
      [{ toPatientId: 'a b' }, 'id at Correction.toPatientId'],
      [{ toPatientId: 'nobody' }, 'unknown-patient at Correction.toPatientId'],
      [{ toPatientId: 'amy' }, 'same-chart at Correction.toPatientId'],
      [{ resourceId: 'none' }, 'not-found at undefined'],
      [{ by: 'cyd' }, 'reference at Correction.by'],
      [{ reason: '' }, 'empty at Correction.reason'],
    ])('%j: %s', async (wrong, expected) => {
      await clinic().record(goal());
      const versions = (await clinic().feed()).length;
      const refused = await outcomeOf(
        clinic().records.corrections.moveToPatient({ ...move, ...wrong } as RecordMove),
      );
      expect(refused).toMatchObject({ _tag: 'Left' });
      const issues = 'left' in refused ? refused.left.issues : [];
      expect(issues.map(({ rule, expression }) => `${rule} at ${expression}`)).toEqual([expected]);
      expect((await clinic().feed()).length).toBe(versions);
    });
  });
});
