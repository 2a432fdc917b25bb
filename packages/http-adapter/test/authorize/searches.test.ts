import { resourceTypes } from '@clinical-records/core/adapter';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Authorize } from '../../src/index.ts';
import { goal, oneCommandOfEach } from '../builders.ts';
import { createSenderAs } from '../clinic.ts';
import { outcomeOf } from '../outcome-of.ts';
import { cursorOf, idsOf, linkOf } from '../response-helpers.ts';
import { onEveryStore } from '../stores.ts';
import { askedBy } from './clinic.ts';

onEveryStore('searches are limited in the query, so that totals and pages say nothing', (clinic) => {
  const sendAs = (authorize: Authorize) => askedBy(clinic(), authorize).send;
  const onlyAmy = sendAs.bind(null, () => ({ limitTo: ['amy'] }));

  beforeEach(async () => {
    for (const patientId of ['amy', 'ben']) {
      for (const command of oneCommandOfEach({ id: patientId, patientId })) await clinic().record(command);
    }
  });

  test.each(resourceTypes)('%s: a search that names nobody finds the charts of `limitTo`', async (type) => {
    const page = await onlyAmy()('GET', `/${type}`);
    expect([idsOf(page), page.json.total]).toEqual([['amy'], 1]);
    const both = await sendAs(() => ({ limitTo: ['ben', 'amy', 'cat'] }))('GET', `/${type}`);
    expect([idsOf(both).toSorted(), both.json.total]).toEqual([['amy', 'ben'], 2]);
    const named = await onlyAmy()('GET', `/${type}?patient=amy,ben`);
    expect([idsOf(named), named.json.total]).toEqual([['amy'], 1]);
  });
  test('with other parameters, sorted and only counted', async () => {
    for (const query of ['_id=amy,ben', 'lifecycle-status=active,completed', '_sort=-target-date']) {
      const page = await onlyAmy()('GET', `/Goal?${query}`);
      expect([query, idsOf(page), page.json.total]).toEqual([query, ['amy'], 1]);
    }
    expect((await onlyAmy()('GET', '/Goal?_summary=count')).json.total).toBe(1);
  });
  test('every page has only charts of `limitTo`, and the last one has no link', async () => {
    for (const n of [1, 2, 3]) {
      await clinic().record(goal({ id: `amy-${n}` }));
      await clinic().record(goal({ id: `ben-${n}`, patientId: 'ben' }));
    }
    const send = onlyAmy();
    const pages: string[][] = [];
    let next: string | undefined = 'Goal?_count=2';
    while (next !== undefined) {
      const page = await send('GET', `/${next}`);
      expect(page.json.total).toBe(4);
      pages.push(idsOf(page));
      next = linkOf(page, 'next');
    }
    expect(pages).toEqual([
      ['amy', 'amy-1'],
      ['amy-2', 'amy-3'],
    ]);
  });
  test('an `_after` that names a record of a denied chart is one that names no record', async () => {
    const { headers: _, ...refused } = await onlyAmy()('GET', `/Goal?_after=${cursorOf('ben')}`);
    expect(refused.status).toBe(400);
    expect(await onlyAmy()('GET', `/Goal?_after=${cursorOf('nobody')}`)).toMatchObject(refused);
  });
  test('a search that can find nobody is not asked about', async () => {
    const { send, questions } = askedBy(clinic(), () => 'allow');
    expect(idsOf(await send('GET', '/Goal?patient=amy&patient=ben'))).toEqual([]);
    expect(questions).toEqual([]);
  });
  test('the host is asked about the patients whom all parameters name', async () => {
    const { send, questions } = askedBy(clinic(), () => 'allow');
    await send('GET', '/Goal?patient=Patient/amy,ben&subject=amy');
    await send('GET', '/Goal?_id=ben');
    expect(questions.map(({ patientIds }) => patientIds)).toEqual([['amy'], []]);
  });

  describe('with `patient/` scopes', () => {
    const principal = { subject: 'Person/x', scopes: ['patient/*.cruds'], patient: 'amy' } as const;
    const sendFor = (authorize: Authorize) => askedBy(clinic(), authorize, { authenticate: () => principal });
    test('a search reaches the charts that both allow', async () => {
      for (const [limitTo, found] of [
        [['amy', 'ben'], ['amy']],
        [['ben'], []],
      ] as const) {
        const { send, questions } = sendFor(() => ({ limitTo }));
        const page = await send('GET', '/Goal');
        expect([idsOf(page), page.json.total]).toEqual([found, found.length]);
        expect(questions[0]?.patientIds).toEqual(['amy']);
      }
    });
    test('a request for another chart is a 403 as before, and the host is not asked', async () => {
      const { send, questions } = sendFor(() => 'allow');
      const plain = createSenderAs(clinic(), principal);
      for (const path of ['/Goal?patient=ben', '/Goal/ben', '/CareTeam/ben', '/Patient/ben']) {
        const { headers: _, ...answer } = await plain('GET', path);
        expect(await send('GET', path)).toMatchObject(answer);
      }
      expect(questions).toEqual([]);
    });
  });

  test('`limitTo` may have thousands of patients', async () => {
    const limitTo = [...Array.from({ length: 5_000 }, (_, n) => `p${n}`), 'amy'];
    const page = await sendAs(() => ({ limitTo }))('GET', '/Goal');
    expect([idsOf(page), page.json.total]).toEqual([['amy'], 1]);
  });
  test('from TypeScript, each page of `all`', async () => {
    const found: string[] = [];
    const authorize = async () => ({ within: ['ben'] });
    for await (const { id } of clinic().records.goals.all({}, { authorize })) found.push(id);
    expect(found).toEqual(['ben']);
    expect(await outcomeOf(clinic().records.goals.read('amy', { authorize }))).toMatchObject({
      left: { _tag: 'NotFound' },
    });
  });
});
