import { describe, expect, test } from 'vitest';
import { goal, labOrder } from '../../builders.ts';
import { nurse, type ParsedResponse } from '../../clinic.ts';
import { cursorOf, expectError, idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

const numbered = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) => `g-${from + index}`);

onEveryStore('Paging', (clinic) => {
  const record = async (...ids: string[]) => {
    for (const id of ids) await clinic().record(goal({ id }));
  };
  const get = (path: string) => clinic().get(`/${path}`);

  /** Follows `next` from page to page; in between, something is done. */
  const follow = async (path: string, between: (page: number) => Promise<unknown> = async () => {}) => {
    const pages: ParsedResponse[] = [];
    for (
      let next: string | undefined = path;
      next !== undefined;
      next = linkOf(pages.at(-1) as ParsedResponse, 'next')
    ) {
      if (pages.length > 0) await between(pages.length);
      pages.push(await get(next));
    }
    return pages;
  };

  test('Searches are paged with the query parameters `_count` and `_offset`', async () => {
    await record(...numbered(1, 5));
    expect(idsOf(await get('Goal?_count=2&_offset=1'))).toEqual(['g-2', 'g-3']);
  });

  test('the link array of the result carries self, first and last links (and next when applicable)', async () => {
    await record(...numbered(1, 3));
    const relations = async (path: string) =>
      (await get(path)).json.link.map(({ relation }: { relation: string }) => relation);
    expect(await relations('Goal?_count=2')).toEqual(['self', 'first', 'next', 'last']);
    expect(await relations('Goal?_count=2&_offset=2')).toEqual(['self', 'first', 'last']);
    expect(await relations('Goal?_count=3')).toEqual(['self', 'first', 'last']);
    expect(await relations('Goal?_id=none')).toEqual(['self', 'first', 'last']);
  });

  test('Default page 10', async () => {
    await record(...numbered(1, 11));
    const answer = await get('Goal');
    expect(idsOf(answer)).toEqual(numbered(1, 10));
    expect(linkOf(answer, 'self')).toBe('Goal?_count=10&_offset=0');
  });

  test('largest 100; a larger `_count` is served as 100, and `self` says so', async () => {
    await record(...numbered(1, 101));
    const answer = await get('Goal?_count=1000');
    expect(idsOf(answer)).toEqual(numbered(1, 100));
    expect(linkOf(answer, 'self')).toBe('Goal?_count=100&_offset=0');
    expect(answer.json.total).toBe(101);
  });

  test('`_count=0` gives only the total', async () => {
    await record(...numbered(1, 3));
    const url = 'Goal?_count=0&_offset=0';
    expect((await get('Goal?_count=0')).json).toEqual({
      resourceType: 'Bundle',
      type: 'searchset',
      total: 3,
      link: ['self', 'first', 'last'].map((relation) => ({ relation, url })),
    });
  });

  describe('`_count` or `_offset` not a whole number ≥ 0', () => {
    test.each(['_count', '_offset'])('%s', async (name) => {
      for (const value of ['-1', '1.5', 'ten', '', '1e3', '+1']) {
        expectError(await get(`Goal?${name}=${encodeURIComponent(value)}`), 400, `http.${name}`);
      }
    });
  });

  test('a whole number may be of any size', async () => {
    await record(...numbered(1, 3));
    const huge = '99999999999999999999';
    const answer = await get(`Goal?_count=${huge}`);
    expect([idsOf(answer), linkOf(answer, 'self')]).toEqual([numbered(1, 3), 'Goal?_count=100&_offset=0']);
    const beyond = await get(`Goal?_offset=${huge}`);
    expect([idsOf(beyond), beyond.json.total]).toEqual([[], 3]);
  });

  test('an `_offset` past the last match is an empty page with the right total', async () => {
    await record(...numbered(1, 3));
    const answer = await get('Goal?_offset=7');
    expect([idsOf(answer), answer.json.total]).toEqual([[], 3]);
    expect(linkOf(answer, 'next')).toBeUndefined();
  });

  test('Order: as created, oldest first, whatever is changed later', async () => {
    await record('z', 'a', 'm');
    await clinic().record({ kind: 'updateGoal', goalId: 'z', priority: 'high-priority' });
    expect(idsOf(await get('Goal'))).toEqual(['z', 'a', 'm']);
  });

  test('Each record has a place of its own, so that there are no ties: one order, on every page, of what was created at the same moment', async () => {
    const ids = ['z', 'a', 'm', 'B', '1'];
    for (const id of ids) {
      clinic().clock.at('2026-03-05T10:00:00.000Z');
      await record(id);
    }
    const whole = idsOf(await get('Goal'));
    expect(whole.toSorted()).toEqual(ids.toSorted());
    expect((await follow('Goal?_count=2')).flatMap(idsOf)).toEqual(whole);
    for (const [offset, id] of whole.entries()) {
      expect(idsOf(await get(`Goal?_count=1&_offset=${offset}`))).toEqual([id]);
    }
  });

  test('The union of the pages is the set of the matches', async () => {
    await record(...numbered(1, 7));
    const pages = await follow('Goal?_count=3');
    expect(pages.map(idsOf)).toEqual([numbered(1, 3), numbered(4, 6), numbered(7, 7)]);
    expect(idsOf(await get(linkOf(pages[0] as ParsedResponse, 'last') ?? ''))).toEqual(['g-7']);
    expect(idsOf(await get(linkOf(pages[2] as ParsedResponse, 'first') ?? ''))).toEqual(numbered(1, 3));
  });

  test('whatever is written meanwhile: records that are created between two pages repeat and skip nothing', async () => {
    await record(...numbered(1, 7));
    const pages = await follow('Goal?_count=2', (page) =>
      page > 3 ? Promise.resolve() : record(`new-${page}`),
    );
    expect(pages.flatMap(idsOf)).toEqual([...numbered(1, 7), 'new-1', 'new-2', 'new-3']);
  });

  test('whatever is written meanwhile: a record that leaves the matches between two pages skips nothing', async () => {
    const ids = numbered(1, 6);
    const commands = new Map<string, string>();
    for (const id of ids) {
      commands.set(id, (await clinic().record(labOrder({ id }))).id);
    }
    const pages = await follow('ServiceRequest?status=active&_count=2', (page) =>
      page === 1 ? clinic().completeOrder(commands.get('g-1') ?? '') : Promise.resolve(),
    );
    expect(pages.flatMap(idsOf)).toEqual(ids);
  });

  test('whatever is written meanwhile: the last record of a page may itself leave the matches', async () => {
    for (const id of ['g-1', 'g-2', 'g-3']) await clinic().record(labOrder({ id }));
    const pages = await follow('ServiceRequest?status=active&_count=1', (page) =>
      page === 1 ? clinic().completeOrder('ServiceRequest/g-1/0') : Promise.resolve(),
    );
    expect(pages.flatMap(idsOf)).toEqual(['g-1', 'g-2', 'g-3']);
  });

  test.each([
    ['Goal?patient=amy&_count=1', ['g-1', 'g-2', 'g-3']],
    ['Goal?patient=amy&_count=1&_sort=-_lastUpdated', ['g-3', 'g-2', 'g-1']],
  ])(
    'whatever is written meanwhile: the last record of a page may move to another chart (%s)',
    async (path, ids) => {
      await record('g-1', 'g-2', 'g-3');
      const pages = await follow(path, async (page) => {
        const resourceId = ids[page - 1] ?? '';
        await clinic().records.corrections.moveToPatient({
          ...{ resourceType: 'Goal', resourceId, toPatientId: 'ben' },
          ...{ by: 'Practitioner/ada', reason: 'Two charts were open.' },
        });
      });
      expect(pages.flatMap(idsOf)).toEqual(ids);
    },
  );

  test('Each page counts all matches again', async () => {
    await record(...numbered(1, 5));
    const pages = await follow('Goal?_count=2', (page) => record(`new-${page}`));
    expect(pages.map(({ json }) => json.total)).toEqual([5, 6, 7, 8]);
    expect(linkOf(pages[1] as ParsedResponse, 'last')).toBe('Goal?_count=2&_offset=4');
    // Neither a total in the cursor, nor the cursor of another search.
    expectError(await get(`Goal?_after=${cursorOf('g-1', 999)}`), 400, 'http._after');
    const all = cursorIn(await get('Goal?_count=1'));
    expect((await get(`Goal?_id=g-1,g-3&_after=${all}`)).json.total).toBe(2);
  });

  const cursorIn = (answer: ParsedResponse) =>
    new URL(linkOf(answer, 'next') ?? '', 'https://clinic.example/').searchParams.get('_after') ?? '';

  test('an opaque cursor, which names the last record of the previous page: what others commit in between does not show', async () => {
    await record('g-1', 'g-2');
    await clinic().record(goal({ id: 'bens', patientId: 'ben' }));
    const before = cursorIn(await get('Goal?patient=amy&_count=1'));
    await clinic().record(goal({ id: 'bens-2', patientId: 'ben' }));
    expect(cursorIn(await get('Goal?patient=amy&_count=1'))).toBe(before);
    expect(before).toMatch(/^[\w-]+$/);
    expect(atob(before)).toBe('["g-1"]');
  });

  test('An `_after` that no `next` link of the search carries is a 400', async () => {
    await record('g-1', 'g-2');
    await clinic().record(labOrder({ id: 'order' }));
    for (const value of [
      '',
      '0',
      '7',
      'g-1',
      cursorOf('none'),
      cursorOf('order'),
      cursorOf('g-1', 2),
      cursorOf('g-1', null),
    ]) {
      expectError(await get(`Goal?_after=${value}`), 400, 'http._after');
    }
    const known = cursorOf('g-1');
    expect(idsOf(await get(`Goal?_after=${known}`))).toEqual(['g-2']);
    for (const search of ['patient=ben', '_id=g-2']) {
      expectError(await get(`Goal?${search}&_after=${known}`), 400, 'http._after');
    }
  });

  test('A page also ends before the resource that would bring it above 1 MiB, but has at least one resource; `next` continues there', async () => {
    const description = 'é'.repeat(100_000);
    for (const id of numbered(1, 7)) await clinic().record(goal({ id, description }));
    const pages = await follow('Goal?_count=100');
    expect(pages.map(idsOf)).toEqual([numbered(1, 5), numbered(6, 7)]);
    expect(pages.map((page) => Buffer.byteLength(page.text) < 1024 * 1024 + 1000)).toEqual([true, true]);
    expect(linkOf(pages[0] as ParsedResponse, 'next')).toMatch(/_count=100&_offset=5&_after=/);
    const text = 'é'.repeat(1_000);
    const type = { text, coding: [{ system: text, display: text }] };
    const number = { system: text, type, assigner: { display: text } };
    const identifier = Array.from({ length: 100 }, (_, at) => ({
      ...number,
      value: `${at}${text.slice(3)}`,
    }));
    for (const id of ['huge', 'huger']) {
      await clinic().records.directory.put('Patient', { id, lastName: 'Shaw', identifier });
    }
    expect((await follow('Patient?_id=amy,huge,huger')).map(idsOf)).toEqual([['amy'], ['huge'], ['huger']]);
  });

  test('`next` also leads on from a care team whose id has the longest patient id and the longest status', async () => {
    const { directory, careTeams } = clinic().records;
    const id = 'x'.repeat(64);
    await directory.put('Patient', { id, lastName: 'Shaw' });
    await careTeams.setParticipantStatus(id, 'Organization/lab', 'entered-in-error');
    await careTeams.setParticipantStatus(id, 'Practitioner/ada', 'inactive', { role: nurse });
    const pages = await follow(`CareTeam?patient=${id}&_count=1`);
    expect(pages.flatMap(idsOf)).toEqual([id, `${id}.entered-in-error`, `${id}.inactive`]);
  });

  test('a form is sent again with the `_count`, `_offset` and `_after` of `next` for the next page: nothing of it is in a URL', async () => {
    await record(...numbered(1, 5));
    // As long as a form may be, and a URL that node:http takes may not.
    const ids = [
      ...Array.from({ length: 490 }, (_, index) => `${'x'.repeat(60)}${index}`),
      ...numbered(1, 5),
    ];
    const send = (form: Record<string, string>) =>
      clinic().post('/Goal/_search', String(new URLSearchParams({ _id: `${ids}`, ...form })));
    const pages = [await send({ _count: '2' })];
    for (let next = linkOf(pages[0] as ParsedResponse, 'next'); next !== undefined; ) {
      const link = new URL(next, 'https://clinic.example/fhir/Goal/_search').searchParams;
      const paging = ['_count', '_offset', '_after'].map((name) => [name, link.get(name) ?? '']);
      const page = await send(Object.fromEntries(paging));
      pages.push(page);
      next = linkOf(page, 'next');
    }
    expect(pages.map(idsOf)).toEqual([['g-1', 'g-2'], ['g-3', 'g-4'], ['g-5']]);
  });

  describe("each a URL that resolves against the request's own URL", () => {
    const followed = async (answer: ParsedResponse, requestUrl: string) => {
      const { pathname, search } = new URL(linkOf(answer, 'next') ?? '', requestUrl);
      expect(pathname).toBe('/fhir/Goal');
      return idsOf(await get(`Goal${search}`));
    };
    test('GET', async () => {
      await record(...numbered(1, 3));
      const answer = await get('Goal?patient=amy&_count=2');
      const url = 'https://clinic.example/fhir/Goal?patient=amy&_count=2';
      expect(await followed(answer, url)).toEqual(['g-3']);
    });
    test('POST _search', async () => {
      await record(...numbered(1, 3));
      const answer = await clinic().post('/Goal/_search', 'patient=amy&_count=2');
      expect(idsOf(answer)).toEqual(['g-1', 'g-2']);
      expect(await followed(answer, 'https://clinic.example/fhir/Goal/_search')).toEqual(['g-3']);
    });
  });

  test('links carry the search parameters, so that every page belongs to the same search', async () => {
    await clinic().record(goal({ id: 'bens', patientId: 'ben' }));
    await record(...numbered(1, 3));
    const pages = await follow('Goal?patient=Patient/amy,Patient/none&_id=g-1,g-3,bens&_count=1');
    expect(pages.map(idsOf)).toEqual([['g-1'], ['g-3']]);
    for (const page of pages) {
      for (const { url } of page.json.link) {
        const { searchParams } = new URL(url, 'https://clinic.example/fhir/');
        expect([searchParams.get('patient'), searchParams.get('_id')]).toEqual([
          'Patient/amy,Patient/none',
          'g-1,g-3,bens',
        ]);
      }
    }
  });
});
