import type { ClinicalStore } from '@clinical-records/core';
import { left } from 'fp-ts/lib/Either.js';
import { expect, test } from 'vitest';
import { labOrder } from '../../builders.ts';
import { createHandler, createRecords, createSender } from '../../clinic.ts';
import { cursorOf, expectError } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Search', (clinic) => {
  const search = async (query: string) => {
    const { status, json } = await clinic().get(`/ServiceRequest?${query}`);
    return status === 200 ? status : [status, json.issue];
  };
  const refused = (expression?: string) => [
    400,
    [
      {
        severity: 'error',
        code: 'invalid',
        details: {
          coding: [{ system: 'urn:clinical-records:issue-rule', code: 'too-many-values' }],
          text: 'Bad request',
        },
        diagnostics: 'The search has too many values.',
        ...(expression !== undefined && { expression: [expression] }),
      },
    ],
  ];

  test('A search has at most 20 parameters, not counting `_count`, `_offset` and `_after`, and 500 alternatives in all of them together; more is a 400', async () => {
    const ids = (count: number) => `_id=${Array(count).fill('a').join()}`;
    const statuses = (count: number) => Array(count).fill('status=active').join('&');
    const dates = (count: number) => `authored=${Array(count).fill('2025').join()}`;
    expect(await search(statuses(20))).toBe(200);
    await clinic().record(labOrder({ id: 'order' }));
    const after = cursorOf('order');
    expect(await search(`${statuses(20)}&_count=1&_offset=1&_after=${after}`)).toBe(200);
    expect(await search(statuses(21))).toEqual(refused());
    expect(await search(ids(500))).toBe(200);
    expect(await search(ids(501))).toEqual(refused('http._id'));
    expect(await search(dates(500))).toBe(200);
    expect(await search(dates(501))).toEqual(refused('http.authored'));
    expect(await search(`${ids(300)}&${dates(200)}`)).toBe(200);
    expect(await search(`${ids(300)}&${dates(201)}`)).toEqual(refused('http.authored'));
    expect(await search(Array(20).fill(dates(26)).join('&'))).toEqual(refused('http.authored'));
    expect(await search(`bogus=1&${ids(501)}&${ids(2)}&_count=x`)).toMatchObject([
      400,
      [{ expression: ['http.bogus'] }, { expression: ['http._id'] }, { expression: ['http._count'] }],
    ]);
  });

  const failWith = (tag: 'TooCostly' | 'Busy') => {
    const store = { ...clinic().store, search: async () => left({ _tag: tag }) };
    return createSender(createHandler(createRecords(store)))('GET', '/ServiceRequest?authored=ge1990');
  };

  test('search that would take more steps than the host allows: is a 422 with the code `too-costly`, which says what to add', async () => {
    const answer = await failWith('TooCostly');
    expect([answer.status, answer.json.issue]).toEqual([
      422,
      [
        {
          severity: 'error',
          code: 'too-costly',
          details: {
            coding: [{ system: 'urn:clinical-records:issue-rule', code: 'too-costly' }],
            text: 'Unprocessable entity',
          },
          diagnostics:
            'The search looks at too many records. Add a condition that few records meet, such as `patient`, or ask for fewer alternatives.',
        },
      ],
    ]);
  });

  test('the store receives the number of steps that the host allows', async () => {
    const searches: unknown[] = [];
    const store: ClinicalStore = {
      ...clinic().store,
      search: (query) => {
        searches.push(query.maxSteps);
        return clinic().store.search(query);
      },
    };
    await createSender(createHandler(createRecords(store, { searchSteps: 7 })))('GET', '/Goal');
    await createSender(createHandler(createRecords(store)))('GET', '/Goal');
    expect(searches).toEqual([7, 3_000_000]);
    for (const searchSteps of [0, -1, Number.NaN]) {
      expect(() => createRecords(store, { searchSteps })).toThrow(
        'searchSteps must be a number of 1 or more.',
      );
    }
  });

  test('A search of one patient is always possible, however large the clinic is', async () => {
    for (let at = 0; at < 30; at++) await clinic().record(labOrder({ id: `order-${at}`, patientId: 'ben' }));
    await clinic().record(labOrder({ id: 'amys' }));
    const send = createSender(createHandler(createRecords(clinic().store, { searchSteps: 20 })));
    const { json } = await send('GET', '/ServiceRequest?patient=amy&authored=ge1990&status=draft,active');
    expect(json.total).toBe(1);
  });

  test('If too many costly searches are running, the next one is a 503', async () => {
    expectError(await failWith('Busy'), 503);
  });
});
