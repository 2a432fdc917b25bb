import { orThrow } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { labOrder } from '../builders.ts';
import { onEveryStore } from '../stores.ts';

onEveryStore('What is given to a function is read when it is given', (clinic) => {
  /** Calls for both patients with one object that is filled in anew, and awaits both only then. */
  const forBoth = async (write: (patientId: string) => () => Promise<unknown>) => {
    await Promise.all(['amy', 'ben'].map((patientId) => write(patientId)()));
  };
  const totals = async (resources: 'serviceRequests' | 'immunizations') =>
    Promise.all(
      ['amy', 'ben'].map(async (patient) => {
        const page = await orThrow(clinic().records[resources].asJson.search({ patient, _count: 0 }, {}));
        return (JSON.parse(page) as { total: number }).total;
      }),
    );

  test.each(['stage', 'record'] as const)('by chart.%s', async (way) => {
    const { chart } = clinic().records;
    const order = { ...labOrder(), patientId: '' };
    const by = { by: 'ada' };
    await forBoth((patientId) => {
      order.patientId = patientId;
      return chart[way](order, by);
    });
    expect(await totals('serviceRequests')).toEqual([1, 1]);
  });

  test('who commits a command, by the chart', async () => {
    const { chart, serviceRequests } = clinic().records;
    const by = { by: 'ada' };
    const recording = orThrow(chart.record(labOrder({ id: 'o' }), by));
    by.by = 'nobody';
    await recording;
    expect(await orThrow(serviceRequests.read('o'))).toMatchObject({ status: 'active' });
  });

  test.each([{}, { identifier: [] }])('by immunizations.create, with %j beside', async (beside) => {
    const body = {
      ...beside,
      status: 'completed',
      vaccineCode: { coding: [{ system: 'unstructured', code: 'Flu shot' }] },
      patient: { reference: '' },
      occurrenceDateTime: '2024-10-02',
      primarySource: false,
    };
    await forBoth((patientId) => {
      body.patient.reference = `Patient/${patientId}`;
      return clinic().records.immunizations.create(body);
    });
    expect(await totals('immunizations')).toEqual([1, 1]);
  });

  test('by the directory', async () => {
    const { directory } = clinic().records;
    const eve = { id: '', lastName: 'Hill', firstName: 'Eve' };
    const puts = ['eve', 'fay'].map((id) => {
      eve.id = id;
      return directory.putPractitioner(eve)();
    });
    await Promise.all(puts);
    expect(await orThrow(directory.read('Practitioner', 'eve'))).toMatchObject({ id: 'eve' });
  });
});
