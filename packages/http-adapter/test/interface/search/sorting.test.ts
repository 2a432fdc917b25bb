import { expect, test } from 'vitest';
import { ada, bob, goal, immunizationStatement, labOrder, team } from '../../builders.ts';
import { createHandler, createRecords, createSender, type ParsedResponse } from '../../clinic.ts';
import { expectError, idsOf, linkOf } from '../../response-helpers.ts';
import { onEveryStore } from '../../stores.ts';

onEveryStore('Decisions: Search', (clinic) => {
  const search = (type: string, query: string) => clinic().get(`/${type}?${query}`);
  const found = async (type: string, query: string) => idsOf(await search(type, query)).join(' ');
  const teamOf = (id: string, ...participants: object[]) => ({ ...team(...participants), id });
  const recordGoals = async (dueDates: Readonly<Record<string, string | undefined>>) => {
    for (const [id, dueDate] of Object.entries(dueDates)) {
      await clinic().record(goal({ id, ...(dueDate !== undefined && { dueDate }) }));
    }
  };

  /** The ids of each page; before each but the first, something is done. */
  const follow = async (
    path: string,
    between: (page: number) => Promise<unknown> = async () => {},
    send = clinic().send,
  ) => {
    const pages: ParsedResponse[] = [];
    let next: string | undefined = path;
    while (next !== undefined) {
      if (pages.length > 0) await between(pages.length);
      const page = await send('GET', `/${next}`);
      pages.push(page);
      next = linkOf(page, 'next');
    }
    return pages;
  };

  test('Each type is sorted by `_lastUpdated` and its date parameters, in both directions', async () => {
    const { record, stage, clock, records } = clinic();
    clock.at('2026-05-03T08:00:00Z');
    await stage(labOrder({ id: 'early' }));
    await record(immunizationStatement({ id: 'late', occurrenceDateTime: '2025-03-01' }));
    await record(goal({ id: 'late', dueDate: '2027-03-01' }));
    await records.careTeams.update('amy', team(ada));
    clock.at('2026-05-04T08:00:00Z');
    await stage(labOrder({ id: 'late' }));
    await record(immunizationStatement({ id: 'early', occurrenceDateTime: '2024-03-01' }));
    await record(goal({ id: 'early', dueDate: '2026-03-01' }));
    await record({ kind: 'updateGoal', goalId: 'late', progress: 'One mile' });
    await records.careTeams.update('ben', teamOf('ben', bob));
    for (const [type, key, ids] of [
      ['ServiceRequest', '_lastUpdated', ['early', 'late']],
      ['ServiceRequest', 'authored', ['early', 'late']],
      ['Immunization', '_lastUpdated', ['late', 'early']],
      ['Immunization', 'date', ['early', 'late']],
      ['Goal', '_lastUpdated', ['early', 'late']],
      ['Goal', 'target-date', ['early', 'late']],
      ['CareTeam', '_lastUpdated', ['amy', 'ben']],
    ] as const) {
      expect(await found(type, `_sort=${key}`), `${type} ${key}`).toBe(ids.join(' '));
      const reversed = await clinic().post(`/${type}/_search`, `_sort=-${key}`, {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      });
      expect(idsOf(reversed), `${type} -${key}`).toEqual(ids.toReversed());
    }
  });

  test('Each type is sorted by `_id` and by its codes, such as `status`, from link to link', async () => {
    const { record, stage, completeOrder, enterInError, records } = clinic();
    for (const id of ['c', 'a', 'd', 'b']) {
      await (id === 'd' ? stage : record)(labOrder({ id }));
      await record(immunizationStatement({ id }));
      await record(goal({ id }));
    }
    await completeOrder('ServiceRequest/a/0');
    await enterInError('ServiceRequest/c/0');
    await enterInError('Immunization/b/0');
    await record({ kind: 'closeGoal', goalId: 'a', achievementStatus: 'achieved' });
    await record({ kind: 'updateGoal', goalId: 'd', achievementStatus: 'improving' });
    await records.careTeams.update('amy', team(ada, bob));
    await records.careTeams.update('amy', team(ada));
    const walk = async (type: string, sort: string) =>
      (await follow(`${type}?patient=amy&_sort=${sort}&_count=1`)).flatMap(idsOf).join(' ');
    for (const type of ['ServiceRequest', 'Immunization', 'Goal']) {
      expect([await walk(type, '_id'), await walk(type, '-_id')]).toEqual(['a b c d', 'd c b a']);
    }
    // active, completed, draft, entered-in-error
    expect(await walk('ServiceRequest', 'status')).toBe('b a d c');
    expect(await walk('ServiceRequest', '-status')).toBe('c d a b');
    expect(await walk('Immunization', 'status,-_id')).toBe('d c a b');
    expect(await walk('Goal', '-lifecycle-status,_id')).toBe('a b c d');
    // Those without an achievement are last.
    expect(await walk('Goal', '-achievement-status')).toBe('d a c b');
    expect(await walk('CareTeam', '-_id')).toBe('amy.inactive amy');
    expect(await walk('CareTeam', '-status')).toBe('amy.inactive amy');
    expect(await found('Patient', '_sort=-_id&_count=2')).toBe('ben amy');
    expect(await found('Practitioner', '_sort=-_id')).toBe('dan cyd bob ada');
    const patients = await records.directory.search('Patient', { _sort: '-_id' });
    expect(patients.entry?.map(({ resource }) => resource.id)).toEqual(['ben', 'amy']);
  });

  test('Resources without the date come last in both directions, and ties are in the order of creation', async () => {
    await recordGoals({ a: undefined, b: '2026-07-02', d: '2026-07-02', c: '2026-07-01', e: undefined });
    expect(await found('Goal', '_sort=target-date')).toBe('c b d a e');
    expect(await found('Goal', '_sort=-target-date')).toBe('b d c a e');
  });

  test('A date is sorted by its start, and in descending order by its end', async () => {
    for (const [id, occurrenceDateTime] of Object.entries({
      day: '2025-03-01',
      time: '2025-03-01T10:00:00Z',
    })) {
      await clinic().record(immunizationStatement({ id, occurrenceDateTime }));
    }
    expect(await found('Immunization', '_sort=date')).toBe('day time');
    expect(await found('Immunization', '_sort=-date')).toBe('day time');
  });

  test.each([
    ['target-date', 'c b d a e'],
    ['-target-date', 'b d c a e'],
  ])('Pages by %s neither repeat nor skip a match, whatever is written meanwhile', async (sort, ids) => {
    await recordGoals({ a: undefined, b: '2026-07-02', d: '2026-07-02', c: '2026-07-01', e: undefined });
    const pages = await follow(`Goal?_sort=${sort}&lifecycle-status=active&_count=1`, async (page) => {
      if (page === 1) await recordGoals({ earlier: '2026-01-01', later: '2026-12-31' });
      // The end of the second page is not a match any more.
      if (page === 2) await clinic().record({ kind: 'closeGoal', goalId: ids.slice(2, 3) });
    });
    const old = pages.flatMap(idsOf).filter((id) => id.length === 1);
    expect(old.join(' ')).toBe(ids);
    // Two were added, and one was closed.
    expect(pages.map(({ json }) => json.total)).toEqual([5, 7, ...pages.slice(2).map(() => 6)]);
  });

  test('A page begins after the `_offset` of the sorted matches, and the links keep the order', async () => {
    await recordGoals({ b: '2026-07-02', c: '2026-07-01', d: '2026-07-03' });
    const page = await search('Goal', '_sort=-target-date&_count=1&_offset=1');
    expect([page.json.total, idsOf(page)]).toEqual([3, ['b']]);
    expect(linkOf(page, 'self')).toBe('Goal?_sort=-target-date&_count=1&_offset=1');
    expect(linkOf(page, 'next')).toContain('Goal?_sort=-target-date&_count=1&_offset=2&_after=');
    expect((await search('Goal', '_sort=target-date&_count=0')).json.total).toBe(3);
    expect(await found('Goal', '_sort=target-date&_offset=7')).toBe('');
  });

  test('A page has the resources to which its matches refer', async () => {
    await recordGoals({ b: '2026-07-02', c: '2026-07-01' });
    const query = '_sort=target-date&_count=1&_include=Goal:patient';
    expect(await found('Goal', query)).toBe('c amy');
  });

  test('A team of another status has the time of its team, and one that the search stores has its own', async () => {
    const { records, clock } = clinic();
    clock.at('2026-05-01T08:00:00Z');
    await records.careTeams.update('ben', teamOf('ben', ada, bob));
    await records.careTeams.update('amy', team(ada, bob));
    await records.careTeams.update('ben', teamOf('ben', ada));
    expect(await found('CareTeam', '_sort=_lastUpdated&patient=amy,ben')).toBe('amy ben ben.inactive');
    clock.at('2026-05-02T08:00:00Z');
    await records.careTeams.update('amy', team(ada));
    const sorted = 'ben ben.inactive amy amy.inactive';
    expect(await found('CareTeam', '_sort=_lastUpdated&patient=amy,ben')).toBe(sorted);
    const options = {
      resolve: { Patient: (id: string) => ({ id, lastName: 'New', firstName: 'Nia' }) },
      clock: () => new Date('2026-05-03T08:00:00Z'),
    };
    const send = createSender(createHandler(createRecords(clinic().store, options)));
    for (const [sort, ids] of [
      ['_lastUpdated', `${sorted} nia`],
      ['-_lastUpdated', 'nia amy amy.inactive ben ben.inactive'],
    ]) {
      const pages = await follow(`CareTeam?_sort=${sort}&patient=nia,amy,ben&_count=1`, async () => {}, send);
      expect(pages.flatMap(idsOf).join(' ')).toBe(ids);
      expect(pages.at(-1)?.json.total).toBe(5);
    }
  });

  test('Where matches are equal by a key, the next one decides, on each page', async () => {
    await recordGoals({ a: undefined, b: '2026-07-02', c: '2026-07-01', d: '2026-07-02', e: undefined });
    expect(await found('Goal', '_sort=target-date,-_lastUpdated')).toBe('c d b e a');
    expect(await found('Goal', '_sort=-target-date,-_lastUpdated')).toBe('d b c e a');
    expect(await found('Goal', '_sort=start-date,-target-date,_lastUpdated')).toBe('b d c a e');
    const pages = await follow('Goal?_sort=target-date,-_lastUpdated&_count=1', async (page) => {
      // Between the two of one day, and the two without one.
      if (page === 2) await recordGoals({ later: '2026-07-02' });
      if (page === 4) await recordGoals({ last: undefined });
    });
    const old = pages.flatMap(idsOf).filter((id) => id.length === 1);
    expect(old).toEqual(['c', 'd', 'b', 'e', 'a']);
  });

  test('Only keys of the type are allowed, and each parameter once', async () => {
    const values = [
      'date',
      'target-date,date',
      'target-date,-target-date',
      'target-date,',
      '-',
      '--target-date',
    ];
    for (const value of [...values, 'patient', 'description', '_tag']) {
      const answer = await search('Goal', `_sort=${value}`);
      expectError(answer, 400, 'http._sort');
      expect(answer.json.issue[0].diagnostics).toContain(
        'It supports _id, -_id, _lastUpdated, -_lastUpdated, lifecycle-status, -lifecycle-status, target-date, -target-date, start-date, -start-date, achievement-status, -achievement-status, with commas between them.',
      );
    }
    expectError(await search('Goal', '_sort=target-date&_sort=_lastUpdated'), 400, 'http._sort');
    expectError(await search('Goal', '_sort:asc=target-date'), 400, 'http._sort');
  });

  test('The `_after` of a search belongs to its order', async () => {
    await recordGoals({ b: '2026-07-02', c: '2026-07-01' });
    const afterOf = async (query: string) =>
      new URL(`http://x/${linkOf(await search('Goal', query), 'next')}`).searchParams.get('_after');
    const sorted = await afterOf('_sort=target-date&_count=1');
    const unsorted = await afterOf('_count=1');
    expectError(await search('Goal', `_after=${sorted}`), 400, 'http._after');
    expectError(await search('Goal', `_sort=target-date&_after=${unsorted}`), 400, 'http._after');
    for (const sort of ['target-date,_lastUpdated', '-target-date', 'start-date']) {
      expectError(await search('Goal', `_sort=${sort}&_after=${sorted}`), 400, 'http._after');
    }
    expect(idsOf(await search('Goal', `_sort=target-date&_after=${sorted}`))).toEqual(['b']);
  });

  test('Typed searches sort, and walks through all matches are in the order of creation', async () => {
    await recordGoals({ b: '2026-07-02', c: '2026-07-01' });
    const { goals } = clinic().records;
    const bundle = await goals.search({ _sort: 'target-date' });
    expect(bundle.entry?.map(({ resource }) => resource.id)).toEqual(['c', 'b']);
    // @ts-expect-error `all` does not sort
    const walk = goals.all({ _sort: 'target-date' });
    await expect(walk.next()).rejects.toMatchObject({ issues: [{ rule: 'unknown-parameter' }] });
  });
});
