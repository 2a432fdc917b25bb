import type { PractitionerReference } from '@clinical-records/core';
import { expect, test } from 'vitest';
import { goal, labOrder, noteIdExtension, statement } from '../../builders.ts';
import { cardiologist, createRecords, nurse } from '../../clinic.ts';
import { outcomeOf } from '../../outcome-of.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('What is given to a function is read when it is given', (clinic) => {
  /** Calls for both patients with one object that is filled again, and awaits both afterwards. */
  const forBoth = async (write: (patientId: string) => Promise<unknown>) => {
    await Promise.all(['amy', 'ben'].map((patientId) => write(patientId)));
  };
  const totals = async (resources: 'serviceRequests' | 'immunizations') =>
    Promise.all(
      ['amy', 'ben'].map(async (patient) => {
        const page = await clinic().records[resources].asJson.search({ patient, _count: 0 }, {});
        return (JSON.parse(page) as { total: number }).total;
      }),
    );

  test.each(['stage', 'record'] as const)('by chart.%s', async (way) => {
    const { chart } = clinic().records;
    const order = { ...labOrder(), patientId: '' };
    const by = { by: 'Practitioner/ada' } as const;
    await forBoth((patientId) => {
      order.patientId = patientId;
      return chart[way](order, by);
    });
    expect(await totals('serviceRequests')).toEqual([1, 1]);
  });

  test('the author of a committed command, by the chart', async () => {
    const { chart, serviceRequests } = clinic().records;
    const by: { by: PractitionerReference } = { by: 'Practitioner/ada' };
    const recording = chart.record(labOrder({ id: 'o' }), by);
    by.by = 'Practitioner/nobody';
    await recording;
    expect(await serviceRequests.read('o')).toMatchObject({ status: 'active' });
  });

  test.each([{}, { identifier: [] }])('by immunizations.create, with %j', async (beside) => {
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
      return clinic().records.immunizations.asJson.create(body);
    });
    expect(await totals('immunizations')).toEqual([1, 1]);
  });

  test.each([
    ['refused by the chart', {}],
    ['refused without it', { status: 'not-done' }],
  ])('the chart to which a create is limited, %s', async (_, fields) => {
    const { immunizations } = clinic().records;
    const limit: { within?: string } = { within: 'amy' };
    const creating = immunizations.create(
      statement({ ...fields, extension: noteIdExtension('note-ben') }),
      limit,
    );
    delete limit.within;
    const refused = await outcomeOf(creating);
    const rules = 'left' in refused ? refused.left.issues.map(({ rule }) => rule) : [];
    expect([rules.includes('unknown-note'), rules.includes('note-of-another-patient')]).toEqual([
      true,
      false,
    ]);
  });

  test('by the directory', async () => {
    const { directory } = clinic().records;
    const eve = { id: '', lastName: 'Hill', firstName: 'Eve' };
    const puts = ['eve', 'fay'].map((id) => {
      eve.id = id;
      return outcomeOf(directory.put('Practitioner', eve));
    });
    await Promise.all(puts);
    expect(await directory.read('Practitioner', 'eve')).toMatchObject({ id: 'eve' });
  });

  test('by the directory, the last modification of a patient', async () => {
    const { directory } = clinic().records;
    const lastModified = new Date('2024-01-01T00:00:00Z');
    const putting = directory.put('Patient', { id: 'eve', lastName: 'Hill', firstName: 'Eve', lastModified });
    lastModified.setUTCFullYear(2031);
    expect(await putting).toMatchObject({ lastModified: Date.UTC(2024, 0, 1) });
  });

  test('by searches: their parameters, and the chart to which they are limited', async () => {
    const { immunizations } = clinic().records;
    for (const patientId of ['amy', 'ben']) {
      await immunizations.create({
        status: 'completed',
        vaccineCode: { coding: [{ system: 'unstructured', code: 'Flu shot' }] },
        patient: { reference: `Patient/${patientId}` },
        occurrenceDateTime: '2024-10-02',
        primarySource: false,
      });
    }
    const query = new URLSearchParams();
    const limit = { within: '' };
    const found = await Promise.all(
      ['amy', 'ben'].flatMap((patientId) => {
        query.set('patient', patientId);
        limit.within = patientId;
        return [outcomeOf(immunizations.search(query)), outcomeOf(immunizations.search({}, limit))];
      }),
    );
    const whose = found.map((page) =>
      'right' in page ? page.right.entry?.map(({ resource }) => resource.patient.reference) : page,
    );
    expect(whose).toEqual([['Patient/amy'], ['Patient/amy'], ['Patient/ben'], ['Patient/ben']]);
  });

  test('by searches whose pairs can be read only once, also if an audit reads them', async () => {
    const queries: string[] = [];
    const { goals } = createRecords(clinic().store, { onAccess: ({ query }) => queries.push(query) });
    await clinic().record(goal());
    await clinic().record(goal({ id: 'other', patientId: 'ben' }));
    const pairs = new URLSearchParams({ patient: 'ben' }).entries();
    expect(await goals.search(pairs, { by: 'Practitioner/ada' })).toMatchObject({ total: 1 });
    expect(queries).toEqual(['patient=ben']);
  });

  test.each(['read', 'history'] as const)('the chart to which a %s is limited', async (way) => {
    const { serviceRequests } = clinic().records;
    await clinic().record(labOrder({ id: 'o' }));
    const limit = { within: 'ben' };
    const reading = serviceRequests[way]('o', limit);
    limit.within = 'amy';
    expect(await outcomeOf(reading)).toMatchObject({ left: { _tag: 'NotFound' } });
  });

  test('by careTeams.update, with a dropped element, and its precondition', async () => {
    const { careTeams } = clinic().records;
    const role = [{ coding: [cardiologist] }];
    const body = { meta: {}, id: 'amy', participant: [{ role, member: { reference: 'Practitioner/ada' } }] };
    const updating = careTeams.asJson.update('amy', body);
    body.participant = [];
    expect(JSON.parse((await updating).json).participant).toHaveLength(1);
    const options: { ifMatch?: number[] } = { ifMatch: [99] };
    const update = careTeams.asJson.update('amy', body, options);
    delete options.ifMatch;
    expect(await outcomeOf(update)).toMatchObject({ left: { _tag: 'PreconditionFailed' } });
  });

  test('by a step of a command, and its precondition', async () => {
    const { chart } = clinic().records;
    const { id } = await chart.stage(labOrder({ id: 'o' }));
    const options: { by: 'Practitioner/ada'; ifMatch?: number[]; within: string[] } = {
      ...{ by: 'Practitioner/ada', ifMatch: [99], within: ['amy'] },
    };
    const step = chart.commit(id, options);
    delete options.ifMatch;
    expect(await outcomeOf(step)).toMatchObject({ left: { _tag: 'PreconditionFailed' } });
    const reached = chart.commit(id, options);
    options.within.push('ben');
    options.within.shift();
    expect(await reached).toMatchObject({ status: 'committed' });
  });

  test('by careTeams.asJson.setParticipantStatus, and its precondition', async () => {
    const { asJson } = clinic().records.careTeams;
    const body = { member: 'Organization/home', status: 'proposed' };
    const options: { ifMatch?: number[] } = { ifMatch: [99] };
    const update = asJson.setParticipantStatus('amy', body, options);
    delete options.ifMatch;
    expect(await outcomeOf(update)).toMatchObject({ left: { _tag: 'PreconditionFailed' } });
    const setting = asJson.setParticipantStatus('amy', body);
    body.status = 'active';
    await setting;
    expect(JSON.parse((await asJson.read('amy.proposed')).json).participant).toHaveLength(1);
  });

  test('by setParticipantStatus', async () => {
    const { careTeams } = clinic().records;
    const role = { ...cardiologist };
    const setting = careTeams.setParticipantStatus('amy', 'Practitioner/ada', 'active', { role });
    Object.assign(role, nurse);
    expect((await setting).participant?.[0]?.role).toEqual([{ coding: [cardiologist] }]);
  });
});
