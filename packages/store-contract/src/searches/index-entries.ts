import type { SearchCondition } from '@clinical-records/core/store';
import { expect } from 'vitest';
import { change, date, findIds, reference, token, word, write } from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const byCode = (code: string): SearchCondition => ({
  on: 'token',
  parameter: 'code',
  anyOf: [{ system: null, code }],
});

const byEncounter = (id: string): SearchCondition => ({
  on: 'reference',
  parameter: 'encounter',
  anyOf: [{ type: 'Encounter', id }],
});

const byWord = (beginning: string): SearchCondition => ({
  on: 'string',
  parameter: 'name',
  anyOf: [beginning],
});

const byDate = (from: number): SearchCondition => ({
  on: 'date',
  parameter: 'date',
  anyOf: [{ prefix: 'eq', from, until: from + 10 }],
});

const indexOf = (name: string, from: number) => [
  token('code', name),
  reference('encounter', 'Encounter', name),
  word('name', name),
  date('date', from, from + 1),
];

export const indexEntries: TestTopic = (test) => {
  test('a new version is found by its own index entries, and no longer by those of the version before', async (store) => {
    await write(store, change({ index: indexOf('old', 100) }), change({ index: indexOf('new', 200) }));
    for (const condition of [byCode('old'), byEncounter('old'), byWord('old'), byDate(100)]) {
      expect(await findIds(store, condition)).toEqual([]);
    }
    for (const condition of [byCode('new'), byEncounter('new'), byWord('new'), byDate(200)]) {
      expect(await findIds(store, condition)).toEqual(['a']);
    }
  });

  test('a new version is still found by the index entries that it keeps', async (store) => {
    await write(store, change({ index: indexOf('same', 100) }), change({ index: indexOf('same', 100) }));
    for (const condition of [byCode('same'), byEncounter('same'), byWord('same'), byDate(100)]) {
      expect(await findIds(store, condition)).toEqual(['a']);
    }
  });

  test('index entries of one record do not depend on those of another', async (store) => {
    const index = indexOf('same', 100);
    await write(store, change({ id: 'a', index }), change({ id: 'b', index }), change({ id: 'a' }));
    for (const condition of [byCode('same'), byEncounter('same'), byWord('same'), byDate(100)]) {
      expect(await findIds(store, condition)).toEqual(['b']);
    }
  });

  test('a repeated index entry counts once', async (store) => {
    await write(store, change({ index: [...indexOf('twice', 100), ...indexOf('twice', 100)] }));
    for (const condition of [byCode('twice'), byEncounter('twice'), byWord('twice'), byDate(100)]) {
      expect(await findIds(store, condition)).toEqual(['a']);
    }
  });

  test('a record is not found while its resource is null, and then again at its old place', async (store) => {
    const index = indexOf('x', 100);
    await write(store, ...['a', 'b', 'c'].map((id) => change({ id, index })));
    const conditions: readonly (readonly SearchCondition[])[] = [
      [],
      [byCode('x')],
      [byEncounter('x')],
      [byWord('x')],
      [byDate(100)],
      [{ on: 'patient', anyOf: ['patient-1'] }],
    ];
    await write(store, change({ id: 'b', index, resource: null }));
    for (const criteria of conditions) expect(await findIds(store, ...criteria)).toEqual(['a', 'c']);
    await write(store, change({ id: 'b', index }));
    for (const criteria of conditions) expect(await findIds(store, ...criteria)).toEqual(['a', 'b', 'c']);
  });

  test('a record that moves to another chart is found only there', async (store) => {
    await write(store, change({ patientId: 'p' }), change({ patientId: 'q' }));
    expect(await findIds(store, { on: 'patient', anyOf: ['p'] })).toEqual([]);
    expect(await findIds(store, { on: 'patient', anyOf: ['q'] })).toEqual(['a']);
  });
};
