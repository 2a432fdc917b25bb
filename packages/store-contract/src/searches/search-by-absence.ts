import type {
  ClinicalStore,
  IndexEntry,
  PositiveCondition,
  SearchCondition,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import {
  change,
  commit,
  date,
  findIds,
  query,
  reference,
  resultOf,
  token,
  word,
  write,
} from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const not = (condition: PositiveCondition): SearchCondition => ({ on: 'not', condition });

const anyEntry = (kind: IndexEntry['kind'], parameter: string): PositiveCondition => ({
  on: 'entry',
  kind,
  parameter,
});

const codes = (...values: readonly (string | null)[]): PositiveCondition => ({
  on: 'token',
  parameter: 'code',
  anyOf: values.map((code) => ({ system: code === null ? 's' : null, code })),
});

/** Writes records that have an entry of each kind, of some kinds, and of none. */
const writeMixed = async (store: ClinicalStore): Promise<void> => {
  const all = [token('code', '1', 's'), reference('x', 'E', '1'), word('x', 'shaw'), date('x', 10, 20)];
  await write(
    store,
    change({ id: 'all', index: all }),
    change({ id: 'token', index: [token('code', '2', 's'), token('code', '3', 't')] }),
    change({ id: 'reference', index: [reference('x', 'E', '2'), token('x', '1')] }),
    change({ id: 'word', index: [word('x', 'amy')] }),
    change({ id: 'date', patientId: 'patient-2', index: [date('x', 30, 40)] }),
    change({ id: 'none', patientId: null, at: 5 }),
    change({ id: 'unreadable', resource: null }),
    change({ type: 'Goal', id: 'goal' }),
  );
};

const everyId = ['all', 'token', 'reference', 'word', 'date', 'none'];

/** Conditions, and the ids of the records for which they hold. */
const cases: readonly [name: string, condition: PositiveCondition, ids: readonly string[]][] = [
  ['a token', codes('1'), ['all']],
  ['any of some tokens', codes('1', '3'), ['all', 'token']],
  ['a token that no record has', codes('9'), []],
  ['any code of a system', codes(null), ['all', 'token']],
  ['a reference', { on: 'reference', parameter: 'x', anyOf: [{ type: 'E', id: '1' }] }, ['all']],
  ['a word', { on: 'string', parameter: 'x', anyOf: ['sh', 'b'] }, ['all']],
  ['a date', { on: 'date', parameter: 'x', anyOf: [{ prefix: 'lt', from: 15, until: 25 }] }, ['all']],
  [
    'any of some dates',
    {
      on: 'date',
      parameter: 'x',
      anyOf: [
        { prefix: 'eq', from: 10, until: 20 },
        { prefix: 'eq', from: 30, until: 40 },
      ],
    },
    ['all', 'date'],
  ],
  ['the time of a version', { on: 'at', anyOf: [{ prefix: 'lt', from: 10, until: 11 }] }, ['none']],
  ['an id', { on: 'id', anyOf: ['token', 'none', 'other'] }, ['token', 'none']],
  ['a patient', { on: 'patient', anyOf: ['patient-1'] }, ['all', 'token', 'reference', 'word']],
  ['any token', anyEntry('token', 'code'), ['all', 'token']],
  ['any reference', anyEntry('reference', 'x'), ['all', 'reference']],
  ['any word', anyEntry('string', 'x'), ['all', 'word']],
  ['any date', anyEntry('date', 'x'), ['all', 'date']],
  ['any entry of a parameter that no record has', anyEntry('token', 'other'), []],
  ['an empty list', codes(), []],
];

export const searchByAbsence: TestTopic = (test) => {
  test('an entry condition finds the records that have an entry of its kind under its parameter', async (store) => {
    await writeMixed(store);
    const found = cases.filter(([, { on }]) => on === 'entry');
    for (const [name, condition, ids] of found)
      expect([name, await findIds(store, condition)]).toEqual([name, ids]);
    const inChart: SearchCondition = { on: 'patient', anyOf: ['patient-1'] };
    expect(await findIds(store, inChart, anyEntry('date', 'x'))).toEqual(['all']);
  });

  for (const [name, condition, ids] of cases) {
    test(`a condition that must not hold, of ${name}, finds all other records of the type`, async (store) => {
      await writeMixed(store);
      expect(await findIds(store, condition)).toEqual(ids);
      const others = everyId.filter((id) => !ids.includes(id));
      expect(await findIds(store, not(condition))).toEqual(others);
      const together = query([{ on: 'patient', anyOf: ['patient-2', 'patient-1'] }, not(condition)]);
      expect((await resultOf(store.search(together))).total).toBe(
        others.filter((id) => id !== 'none').length,
      );
    });
  }

  test('conditions that must hold and others that must not, even on one parameter, are all met', async (store) => {
    await writeMixed(store);
    expect(await findIds(store, codes(null), not(codes('3')))).toEqual(['all']);
    expect(await findIds(store, not(codes('1')), not(codes('2')))).toEqual([
      'reference',
      'word',
      'date',
      'none',
    ]);
    expect(await findIds(store, codes('2'), not(codes('2')))).toEqual([]);
    const idOf = (...anyOf: readonly string[]): PositiveCondition => ({ on: 'id', anyOf });
    expect(await findIds(store, idOf('all', 'word'), not(idOf('word', 'date')))).toEqual(['all']);
  });

  test('a condition that must not hold finds the many other records, page by page', async (store) => {
    const numbers = Array.from({ length: 900 }, (_, number) => number);
    await commit(
      store,
      numbers.map((number) =>
        change({ id: `${number}`, index: number % 3 === 0 ? [token('code', `${number % 2}`, 's')] : [] }),
      ),
    );
    for (const [condition, isFound] of [
      [codes('0'), (number: number) => number % 6 !== 0],
      [codes(null), (number: number) => number % 3 !== 0],
      [anyEntry('token', 'code'), (number: number) => number % 3 !== 0],
    ] as const) {
      const expected = numbers.filter(isFound).map(String);
      const page = await resultOf(store.search(query([not(condition)], { start: { after: '599' } })));
      expect(page.total).toBe(expected.length);
      expect(page.matches.map(({ id }) => id)).toEqual(
        expected.filter((id) => Number(id) > 599).slice(0, 100),
      );
    }
  });
};
