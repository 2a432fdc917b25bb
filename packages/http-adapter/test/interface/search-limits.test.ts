import { expect, test } from 'vitest';
import { onEveryStore } from '../stores.ts';

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
        details: { text: 'Bad request' },
        diagnostics: 'There are more values than a search can have.',
        ...(expression !== undefined && { expression: [expression] }),
      },
    ],
  ];

  test('A search has at most 20 parameters besides `_count`, `_offset` and `_after`, and 500 alternatives in all of them together; more is a 400', async () => {
    const ids = (count: number) => `_id=${Array(count).fill('a').join()}`;
    const statuses = (count: number) => Array(count).fill('status=active').join('&');
    const dates = (count: number) => `authored=${Array(count).fill('2025').join()}`;
    expect(await search(statuses(20))).toBe(200);
    expect(await search(`${statuses(20)}&_count=1&_offset=1&_after=1`)).toBe(200);
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
});
