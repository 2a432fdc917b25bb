import { createMemoryStore } from '@clinical-records/store-memory';
import { beforeEach, describe, expect, test } from 'vitest';
import { goal, immunize, labOrder, statement } from '../builders.ts';
import { type Clinic, openClinic } from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';
import { idsOf } from '../response-helpers.ts';
import { sentenceOf } from './host/create-loader.ts';
import { sourceGoal, sourceImmunization, sourceOrder } from './importer/source-resources.ts';

const withoutOffset = '2026-03-01T09:30:00';

const sentence = 'A time needs seconds and an offset, such as 2026-03-01T09:30:00-05:00.';

let clinic: Clinic;

beforeEach(async () => {
  clinic = await openClinic(createMemoryStore(), { timeZone: 'America/New_York' });
});

describe('a time without an offset is refused in every write', () => {
  test.each([withoutOffset, '2026-03-01T09:30', '2026-03-01T09:30:00.000'])(
    'over HTTP: %s',
    async (occurrenceDateTime) => {
      const answer = await clinic.post('/Immunization', statement({ occurrenceDateTime }));
      expect(answer.status).toBe(400);
      expect(answer.json.issue).toMatchObject([
        { diagnostics: sentence, expression: ['Immunization.occurrenceDateTime'] },
      ]);
    },
  );

  test.each([
    [
      'immunizations.create',
      () => clinic.records.immunizations.create(statement({ occurrenceDateTime: withoutOffset })),
    ],
    ['chart.stage', () => clinic.records.chart.stage(immunize({ occurrenceDateTime: withoutOffset }))],
    [
      'chart.record',
      () =>
        clinic.records.chart.record(immunize({ occurrenceDateTime: withoutOffset }), {
          by: 'Practitioner/ada',
        }),
    ],
    ['an order', () => clinic.records.chart.stage(labOrder({ authoredOn: withoutOffset }))],
    ['a period', () => clinic.records.chart.stage(labOrder({ occurrencePeriod: { start: withoutOffset } }))],
    [
      'a note',
      () => clinic.records.directory.put('Note', { id: 'n', patientId: 'amy', dateOfService: withoutOffset }),
    ],
    [
      'a patient',
      () =>
        clinic.records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', lastModified: withoutOffset }),
    ],
  ])('from TypeScript: %s', async (_, write) => {
    const before = await clinic.feed();
    expect(await outcomeOf(write())).toMatchObject({
      left: { _tag: 'InvalidRequest', issues: [{ rule: 'time-offset', message: sentence }] },
    });
    expect(await clinic.feed()).toEqual(before);
  });

  test('in an import, which reports it', async () => {
    const { issues, warnings } = await clinic.records.importer.load([
      sourceImmunization('amy', { occurrenceDateTime: withoutOffset }),
      sourceOrder('amy', { authoredOn: withoutOffset }),
      sourceGoal('amy', { note: [{ text: 'Walks', time: withoutOffset }] }),
    ]);
    expect(issues.map(sentenceOf)).toEqual([
      `Immunization.occurrenceDateTime: ${sentence}`,
      `ServiceRequest.authoredOn: ${sentence}`,
    ]);
    expect(warnings.map(sentenceOf)).toEqual([
      `Goal.note[0].time: The element cannot be stored, and was not imported. ${sentence}`,
    ]);
  });
});

test('a value that is not a date is refused with another sentence', async () => {
  const refusedFor = async (occurrenceDateTime: string) =>
    (await clinic.post('/Immunization', statement({ occurrenceDateTime }))).json.issue[0].diagnostics;
  for (const text of [
    'yesterday',
    '2026-02-30',
    '2026-03-01 09:30:00',
    '2026-03-01T09:30:00-0500',
    '1.3.2026',
  ]) {
    expect(await refusedFor(text), text).toMatch(
      /^Must be a date such as 2026-03-01, 2026-03 or 2026, or a date and time/,
    );
  }
  expect(
    await outcomeOf(clinic.records.chart.stage(goal({ dueDate: '2026-03-01T09:30:00Z' }))),
  ).toMatchObject({
    left: { issues: [{ rule: 'date', expression: 'Command.dueDate' }] },
  });
});

test('in a search, a time without an offset is in the configured zone', async () => {
  await clinic.record(labOrder({ id: 'in-new-york', authoredOn: '2026-03-01T09:30:00-05:00' }));
  await clinic.record(labOrder({ id: 'in-utc', authoredOn: '2026-03-01T09:30:00Z' }));
  for (const authored of [withoutOffset, '2026-03-01T09:30']) {
    expect(idsOf(await clinic.get(`/ServiceRequest?authored=${authored}`))).toEqual(['in-new-york']);
  }
});
