import type { ClinicalRecords, ClinicalStore } from '@clinical-records/core';
import type { SearchQuery } from '@clinical-records/core/store';
import { describe, expect, test } from 'vitest';
import { goal, labOrder, statement } from '../builders.ts';
import { createRecords } from '../clinic.ts';
import { onEveryStore } from '../stores.ts';

const gathered = async <A>(all: AsyncIterable<A>): Promise<readonly A[]> => {
  const seen: A[] = [];
  for await (const one of all) seen.push(one);
  return seen;
};

const idsOf = async (all: AsyncIterable<{ readonly id: string }>) =>
  (await gathered(all)).map(({ id }) => id);

onEveryStore('records: all that match', (clinic) => {
  const ids = Array.from({ length: 250 }, (_, at) => `g${at}`);

  const fill = async () => {
    for (const start of [0, 100, 200]) {
      await Promise.all(ids.slice(start, start + 100).map((id) => clinic().record(goal({ id }))));
    }
    await clinic().record(goal({ id: 'of-ben', patientId: 'ben' }));
  };

  /** The records on a store that reports its searches. */
  const watched = (): { readonly records: ClinicalRecords; readonly queries: readonly SearchQuery[] } => {
    const queries: SearchQuery[] = [];
    const store: ClinicalStore = {
      ...clinic().store,
      search: (query) => {
        queries.push(query);
        return clinic().store.search(query);
      },
    };
    return { records: createRecords(store), queries };
  };

  describe('the resources of more than one page', () => {
    test('come once each, oldest first, without those of another patient', async () => {
      await fill();
      const { goals } = clinic().records;
      const seen = await idsOf(goals.all({ patient: 'amy' }));
      expect(seen.toSorted()).toEqual(ids.toSorted());
      const pages = await Promise.all(
        [0, 100, 200].map((_offset) => goals.search({ patient: 'amy', _count: 100, _offset })),
      );
      expect(seen).toEqual(pages.flatMap(({ entry = [] }) => entry.map(({ resource }) => resource.id)));
      const texts = await gathered(goals.asJson.all({ patient: 'amy' }));
      expect(texts.map((text) => JSON.parse(text))).toEqual(await gathered(goals.all({ patient: 'amy' })));
      expect(await idsOf(goals.all())).toHaveLength(251);
      expect(await idsOf(goals.all({ patient: 'amy', _offset: 120 }))).toEqual(seen.slice(120));
      expect(await idsOf(goals.all(new URLSearchParams('patient=amy&_count=3')))).toEqual(seen);
    });

    test('are read page by page when the first of a page is requested, and no more after the reader has stopped', async () => {
      await fill();
      const { records, queries } = watched();
      const all = records.goals.all({ patient: 'amy' });
      expect(queries).toHaveLength(0);
      let seen = 0;
      for await (const _ of all) {
        seen += 1;
        expect(queries).toHaveLength(Math.ceil(seen / 100));
        if (seen === 101) break;
      }
      expect(queries).toHaveLength(2);
      expect((await all.next()).done).toBe(true);
      expect(queries).toHaveLength(2);
      expect(queries.map(({ withTotal }) => withTotal)).toEqual([false, false]);
    });

    test('include those that are created or changed meanwhile, and none twice', async () => {
      await fill();
      const seen: string[] = [];
      for await (const { id, lifecycleStatus } of clinic().records.goals.all({ patient: 'amy' })) {
        seen.push(`${id} ${lifecycleStatus}`);
        if (seen.length === 50) {
          await clinic().record(goal({ id: 'new' }));
          await clinic().record({ kind: 'closeGoal', goalId: ids.at(-1) ?? '' });
        }
      }
      expect(seen).toHaveLength(251);
      expect(new Set(seen).size).toBe(251);
      expect(seen.at(-1)).toBe('new active');
      expect(seen).toContain('g249 completed');
    });

    test('end with a StoreFailure if the store fails', async () => {
      await fill();
      const store = { ...clinic().store };
      const seen: string[] = [];
      const reading = async () => {
        for await (const { id } of createRecords(store).goals.all({ patient: 'amy' })) {
          seen.push(id);
          store.search = async () => ({
            _tag: 'Left',
            left: { _tag: 'Unavailable', message: 'The store is away.', cause: null },
          });
        }
      };
      await expect(reading()).rejects.toMatchObject({ tag: 'StoreFailure' });
      expect(seen).toHaveLength(100);
    });
  });

  test('can be of each type', async () => {
    const { careTeams, immunizations, serviceRequests } = clinic().records;
    await clinic().record(labOrder({ id: 'order' }));
    const { id } = await immunizations.create(statement());
    expect(await idsOf(serviceRequests.all({ patient: 'amy' }))).toEqual(['order']);
    expect(await idsOf(immunizations.all({ patient: 'amy' }))).toEqual([id]);
    expect(await idsOf(careTeams.all())).toEqual(['amy', 'ben']);
    expect(await idsOf(careTeams.all({ patient: 'ben' }))).toEqual(['ben']);
  });

  test('include care teams of patients whom only the host knows', async () => {
    const { careTeams } = createRecords(clinic().store, {
      resolve: (_type, id) => ({ id, lastName: 'Li', firstName: id }),
    });
    expect(await idsOf(careTeams.all({ patient: 'zoe,amy,yan', _offset: 1 }))).toEqual(['zoe', 'yan']);
    expect(await idsOf(careTeams.all({ patient: 'zoe,amy,yan' }))).toEqual(['amy', 'zoe', 'yan']);
  });

  test('are not read if the search is refused, which throws at the first one', async () => {
    const { goals } = clinic().records;
    const refused = (...args: Parameters<typeof goals.all>) => gathered(goals.all(...args));
    await expect(refused([['pation', 'amy']])).rejects.toMatchObject({ tag: 'InvalidRequest' });
    await expect(refused({ _after: 'x' })).rejects.toMatchObject({ issues: [{ rule: 'cursor' }] });
    await expect(refused({ patient: 'ben' }, { within: 'amy' })).rejects.toMatchObject({ tag: 'Forbidden' });
    const lenient = { handling: 'lenient' } as const;
    await expect(refused([['pation', 'amy']], lenient)).rejects.toMatchObject({
      issues: [{ rule: 'unknown-parameter' }],
    });
    const colour = ['colour', 'red'] as const;
    expect(await refused([colour, ['patient', 'amy']], lenient)).toEqual([]);
  });

  test('are only those of the chart to which the caller is limited', async () => {
    await clinic().record(goal({ id: 'of-amy' }));
    await clinic().record(goal({ id: 'of-ben', patientId: 'ben' }));
    const { goals } = clinic().records;
    expect(await idsOf(goals.all({}, { within: 'amy' }))).toEqual(['of-amy']);
  });
});
