import type { ClinicalStore, SearchCondition } from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, commit, findIds, query, resultOf, token, word, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';
import { similarTexts } from './text-equality.ts';

/** Writes people with the words of their names. */
const writePeople = (store: ClinicalStore) =>
  write(
    store,
    change({ id: 'amy', index: [word('name', 'amy'), word('name', 'shaw'), word('family', 'shaw')] }),
    change({ id: 'ben', index: [word('name', 'ben'), word('name', 'shawcross')] }),
    change({ id: 'cy', index: [word('name', 'cy'), word('name', 'crawshaw')] }),
    change({ id: 'nobody' }),
    change({ id: 'code', index: [token('name', 'shaw'), word('other', 'shaw')] }),
  );

const nameCondition = (...anyOf: readonly string[]): SearchCondition => ({
  on: 'string',
  parameter: 'name',
  anyOf,
});

/** More words than any store looks up at once. */
const manyWords = Array.from({ length: 1_500 }, (_, number) => `w${number}`);

export const searchByWord: TestTopic = (test) => {
  test('a string condition finds the records that have a word with its beginning under its parameter', async (store) => {
    await writePeople(store);
    expect(await findIds(store, nameCondition('shaw'))).toEqual(['amy', 'ben']);
    expect(await findIds(store, nameCondition('shawc'))).toEqual(['ben']);
    expect(await findIds(store, nameCondition('s'))).toEqual(['amy', 'ben']);
    expect(await findIds(store, nameCondition('haw'))).toEqual([]);
    expect(await findIds(store, nameCondition('shaws'))).toEqual([]);
    expect(await findIds(store, { on: 'string', parameter: 'family', anyOf: ['shaw'] })).toEqual(['amy']);
  });

  test('a string condition finds a record by any of its beginnings, and once', async (store) => {
    await writePeople(store);
    expect(await findIds(store, nameCondition('cy', 'am'))).toEqual(['amy', 'cy']);
    const { matches, total } = await resultOf(store.search(query([nameCondition('a', 'am', 'shaw')])));
    expect([matches.map(({ id }) => id), total]).toEqual([['amy', 'ben'], 2]);
  });

  test('several beginnings that must all hold may be of one word or of several', async (store) => {
    await writePeople(store);
    expect(await findIds(store, nameCondition('shaw'), nameCondition('a'))).toEqual(['amy']);
    expect(await findIds(store, nameCondition('shaw'), nameCondition('shawcr'))).toEqual(['ben']);
    expect(await findIds(store, nameCondition('amy'), nameCondition('ben'))).toEqual([]);
    const inChart: SearchCondition = { on: 'patient', anyOf: ['patient-1'] };
    expect(await findIds(store, inChart, nameCondition('ben'))).toEqual(['ben']);
    expect(await findIds(store, { ...inChart, anyOf: ['patient-2'] }, nameCondition('ben'))).toEqual([]);
  });

  test('words are compared by every character of their beginnings', async (store) => {
    await commit(
      store,
      similarTexts.map((text, index) => change({ id: `${index}`, index: [word('name', text)] })),
    );
    for (const beginning of similarTexts) {
      const expected = similarTexts.flatMap((text, index) =>
        text.startsWith(beginning) ? [`${index}`] : [],
      );
      for (const condition of [nameCondition(beginning), nameCondition(beginning, 'none')])
        expect([beginning, await findIds(store, condition)]).toEqual([beginning, expected]);
    }
  });

  test('a string condition finds all records that it holds for, however many words begin so', async (store) => {
    const words = [...manyWords, ...similarTexts];
    await commit(
      store,
      words.map((text, index) => change({ id: `${index}`, index: [word('name', text), token('kind', 'x')] })),
    );
    const kind: SearchCondition = { on: 'token', parameter: 'kind', anyOf: [{ system: null, code: 'x' }] };
    for (const text of similarTexts) {
      const expected = words.filter((named) => named.startsWith('w') || named.startsWith(text)).length;
      const condition = nameCondition('w', text);
      for (const conditions of [[condition], [condition, kind]]) {
        const { total } = await resultOf(store.search(query(conditions, { count: 1 })));
        expect([text, total]).toEqual([text, expected]);
      }
    }
    expect(await findIds(store, nameCondition('w149'), kind)).toHaveLength(11);
  });
};
