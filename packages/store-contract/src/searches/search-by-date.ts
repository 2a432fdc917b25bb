import {
  type ClinicalStore,
  type DateCriterion,
  type DatePrefix,
  dateMatches,
  datePrefixes,
  type Interval,
  type SearchCondition,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, commit, date, findIds, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const today = 1_700_000_000_000;
const endsOn = (grid: number) => [0, 1, 2, 3, 4].map((step) => today + step * grid);
const ends = endsOn(1);

/** Every interval on a grid of some milliseconds: apart, touching, overlapping, containing, equal and empty ones. */
const intervalsOn = (grid: number): readonly Interval[] =>
  endsOn(grid).flatMap((from) =>
    endsOn(grid)
      .filter((until) => until >= from)
      .map((until) => ({ from, until })),
  );
const intervals = intervalsOn(1);

const hour = 3_600_000;

const grids = [
  ['two intervals', 1],
  ['two intervals of some hours', 7 * hour],
  ['two intervals of about a day', 20 * hour],
  ['two intervals of some years', 400 * 24 * hour],
] as const;

const intervalName = ({ from, until }: Interval) => `${from - today}-${until - today}`;

const writeEveryInterval = (store: ClinicalStore, grid = 1) =>
  commit(store, [
    ...intervalsOn(grid).map((interval) =>
      change({ id: intervalName(interval), index: [date('date', interval.from, interval.until)] }),
    ),
    change({ id: 'undated' }),
    change({ id: 'elsewhere', index: [date('period', today, today + 4)] }),
  ]);

export const searchByDate: TestTopic = (test) => {
  for (const prefix of datePrefixes) {
    for (const [name, grid] of grids) {
      test(`the date prefix ${prefix} finds what dateMatches finds, for every relation of ${name}`, async (store) => {
        await writeEveryInterval(store, grid);
        for (const interval of intervalsOn(grid)) {
          const expected = intervalsOn(grid)
            .filter(dateMatches({ prefix, ...interval }))
            .map(intervalName);
          const ids = await findIds(store, {
            on: 'date',
            parameter: 'date',
            anyOf: [{ prefix, ...interval }],
          });
          expect({ interval, ids }).toEqual({ interval, ids: expected });
        }
      });
    }

    test(`the date prefix ${prefix} finds what any of several times finds, for every relation of the times`, async (store) => {
      await writeEveryInterval(store);
      for (const [index, first] of intervals.entries()) {
        for (const second of intervals.slice(index + 1)) {
          const anyOf = [
            { prefix, from: today + 2, until: today + 2 },
            { prefix, ...second },
            { prefix, ...first },
          ];
          const expected = intervals.filter((interval) =>
            anyOf.some((criterion) => dateMatches(criterion)(interval)),
          );
          const ids = await findIds(store, { on: 'date', parameter: 'date', anyOf });
          expect({ anyOf, ids }).toEqual({ anyOf, ids: expected.map(intervalName) });
        }
      }
    });

    test(`a search by the time of the current version finds what dateMatches finds with the prefix ${prefix}`, async (store) => {
      const times = ends.flatMap((end) => [end, end]);
      await commit(
        store,
        times.map((at, id) => change({ id: `${id}`, at: id % 2 === 0 ? at : today + 9 })),
      );
      // The second half of the records gets its time with a second version.
      await commit(
        store,
        times.flatMap((at, id) => (id % 2 === 0 ? [] : [change({ id: `${id}`, at })])),
      );
      const isInTime = (anyOf: readonly DateCriterion[]) =>
        [...times.keys()]
          .filter((id) =>
            anyOf.some((criterion) =>
              dateMatches(criterion)({ from: times[id] ?? 0, until: (times[id] ?? 0) + 1 }),
            ),
          )
          .map(String);
      for (const interval of intervals) {
        const single = [{ prefix, ...interval }];
        const several = [
          ...single,
          { prefix, from: today + 3, until: today + 4 },
          { prefix, from: today, until: today + 1 },
        ];
        for (const anyOf of [single, several]) {
          const expected = isInTime(anyOf);
          const patient: SearchCondition = { on: 'patient', anyOf: ['patient-1'] };
          expect({ anyOf, ids: await findIds(store, { on: 'at', anyOf }) }).toEqual({
            anyOf,
            ids: expected,
          });
          expect(await findIds(store, patient, { on: 'at', anyOf })).toEqual(expected);
        }
      }
    });

    test(`the date prefix ${prefix} narrows other conditions`, async (store) => {
      await writeEveryInterval(store);
      for (const interval of intervals) {
        const expected = intervals.filter(dateMatches({ prefix, ...interval })).map(intervalName);
        const inChart = { on: 'patient', anyOf: ['patient-1'] } as const;
        const anyOf = [{ prefix, ...interval }];
        for (const more of [anyOf, [...anyOf, ...anyOf]]) {
          const ids = await findIds(store, inChart, { on: 'date', parameter: 'date', anyOf: more });
          expect({ interval, ids }).toEqual({ interval, ids: expected });
        }
      }
    });
  }

  for (const begin of ['gt', 'ge', 'sa'] as const)
    for (const end of ['lt', 'le', 'eb'] as const)
      test(`the only time of a record meets two conditions, with the prefixes ${begin} and ${end}`, async (store) => {
        const grid = 20 * hour;
        await writeEveryInterval(store, grid);
        const condition = (prefix: DatePrefix, interval: Interval) =>
          ({ on: 'date', parameter: 'date', anyOf: [{ prefix, ...interval }], isSingle: true }) as const;
        for (const first of intervalsOn(grid))
          for (const last of intervalsOn(grid).filter((_, index) => index % 4 === 1)) {
            const [after, before] = [condition(begin, first), condition(end, last)];
            const expected = intervalsOn(grid)
              .filter((one) => [after, before].every(({ anyOf: [asked] }) => dateMatches(asked)(one)))
              .map(intervalName);
            const more = {
              ...before,
              anyOf: [...before.anyOf, { prefix: 'lt', from: today, until: today }],
            } as const;
            for (const conditions of [
              [before, after],
              [after, before, before],
              [after, more, before],
            ])
              expect({ first, last, ids: await findIds(store, ...conditions) }).toEqual({
                first,
                last,
                ids: expected,
              });
          }
      });

  test('the time of a version meets two conditions', async (store) => {
    await commit(
      store,
      ends.map((at, id) => change({ id: `${id}`, at })),
    );
    const at = (prefix: DatePrefix, from: number) =>
      ({ on: 'at', anyOf: [{ prefix, from: today + from, until: today + from + 1 }] }) as const;
    expect(await findIds(store, at('ge', 1), at('lt', 3))).toEqual(['1', '2']);
    expect(await findIds(store, at('le', 3), at('gt', 1))).toEqual(['2', '3']);
    expect(await findIds(store, at('sa', 2), at('eb', 3))).toEqual([]);
    expect(await findIds(store, at('ge', 3), at('lt', 1))).toEqual([]);
    expect(await findIds(store, at('ge', 0), at('lt', 4), { on: 'not', condition: at('le', 2) })).toEqual([
      '3',
    ]);
  });

  test('a date condition finds a record by any of its criteria, and once', async (store) => {
    await writeEveryInterval(store);
    const anyOf = [
      { prefix: 'eq', from: today, until: today + 2 },
      { prefix: 'ge', from: today + 3, until: today + 4 },
      { prefix: 'lt', from: today + 1, until: today + 3 },
    ] as const;
    const expected = intervals
      .filter((interval) => anyOf.some((criterion) => dateMatches(criterion)(interval)))
      .map(intervalName);
    expect(await findIds(store, { on: 'date', parameter: 'date', anyOf })).toEqual(expected);
  });

  test('searches for one time and for several, one after the other and by each prefix, do not affect each other', async (store) => {
    await writeEveryInterval(store);
    const times = [0, 2, 3].map((begin) => ({ from: today + begin, until: today + begin + 1 }));
    for (const count of [1, 2, 1, 3]) {
      for (const prefix of datePrefixes) {
        const anyOf = times.slice(-count).map((time) => ({ prefix, ...time }));
        const expected = intervals.filter((interval) =>
          anyOf.some((criterion) => dateMatches(criterion)(interval)),
        );
        const ids = await findIds(store, { on: 'date', parameter: 'date', anyOf });
        expect({ anyOf, ids }).toEqual({ anyOf, ids: expected.map(intervalName) });
      }
    }
  });

  test('two entries of one record can meet two date conditions, but a criterion needs one entry that meets it', async (store) => {
    await write(store, change({ index: [date('date', 10, 20), date('date', 50, 60)] }));
    const on = { on: 'date', parameter: 'date' } as const;
    const within = { ...on, anyOf: [{ prefix: 'eq', from: 15, until: 55 }] } as const;
    const before = { ...on, anyOf: [{ prefix: 'eb', from: 30, until: 31 }] } as const;
    const after = { ...on, anyOf: [{ prefix: 'sa', from: 30, until: 31 }] } as const;
    expect(await findIds(store, before, after)).toEqual(['a']);
    expect(await findIds(store, within)).toEqual([]);
    expect(await findIds(store, { ...on, anyOf: [{ prefix: 'ne', from: 10, until: 20 }] })).toEqual(['a']);
  });

  test('dates before 1970 and in the far future are compared like others', async (store) => {
    const year = 31_536_000_000;
    const far = 8_640_000_000_000_000;
    await write(
      store,
      change({ id: 'ancient', index: [date('date', -80 * year, -79 * year)] }),
      change({ id: 'today', index: [date('date', 55 * year, 55 * year + 1)] }),
      change({ id: 'always', index: [date('date', -far, far)] }),
    );
    const findByDate = (prefix: DatePrefix, from: number, until: number) =>
      findIds(store, { on: 'date', parameter: 'date', anyOf: [{ prefix, from, until }] });
    expect(await findByDate('lt', 0, 1)).toEqual(['ancient', 'always']);
    expect(await findByDate('gt', 0, 1)).toEqual(['today', 'always']);
    expect(await findByDate('eq', -far, far)).toEqual(['ancient', 'today', 'always']);
    expect(await findByDate('sa', far - 1, far)).toEqual([]);
  });
};
