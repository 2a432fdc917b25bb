import { Absent, type Premise, type SearchCondition, Version } from '@clinical-records/core';
import { expect } from 'vitest';
import {
  answer,
  change,
  commit,
  date,
  failure,
  foundBy,
  idsOf,
  query,
  reference,
  token,
} from './builders.ts';
import type { Topic } from './topic.ts';

const many = Array.from({ length: 1000 }, (_, at) => at);

const index = (at: number) => [
  ...many.slice(0, 8).map((nth) => token(`p${nth}`, `${at}`, 'system')),
  reference('encounter', 'Encounter', `${at}`),
  date('date', at, at + 1),
];

const changes = many.map((at) => change({ id: `r${at}`, index: index(at) }));
const ids = idsOf(changes);

const premises = many.map((at): Premise => ({ type: 'Goal', id: `absent-${at}`, expects: Absent }));

/** These hold of all of them. */
const conditions: readonly SearchCondition[] = [
  { on: 'token', parameter: 'p7', anyOf: [{ system: 'system', code: null }] },
  { on: 'date', parameter: 'date', anyOf: [{ prefix: 'eq', from: 0, until: many.length }] },
];
const everything = { position: 0, limit: 2 * many.length };

export const largeCommits: Topic = (test) => {
  test('a commit can have a thousand changes and a thousand premises', async (store) => {
    expect(await commit(store, changes, premises)).toEqual(many.map(() => 1));
    expect(idsOf(await answer(store.changesSince(everything)))).toEqual(ids);
    expect((await answer(store.scan(everything))).map(({ id, index: { length } }) => [id, length])).toEqual(
      ids.map((id) => [id, 10]),
    );
    const { matches, total } = await answer(store.search(query(conditions, { count: many.length })));
    expect([idsOf(matches), total]).toEqual([ids, many.length]);
    expect(await commit(store, changes, premises)).toEqual(many.map(() => 2));
  });

  test('a change can have a thousand index entries', async (store) => {
    const entries = many.map((at) => token('code', `${at}`));
    await commit(store, [change({ index: entries }), change({ id: 'other', index: entries.slice(1) })]);
    for (const [code, found] of [
      ['0', ['a']],
      ['999', ['a', 'other']],
    ] as const) {
      const asked = { on: 'token', parameter: 'code', anyOf: [{ system: '', code }] } as const;
      expect(await foundBy(store, asked)).toEqual(found);
    }
  });

  test('nothing of a thousand changes is there where the last of a thousand premises fails', async (store) => {
    const last: Premise = { type: 'Goal', id: 'last', expects: Version(1) };
    const refused = await failure(store.commit({ changes, premises: [...premises.slice(1), last] }));
    expect(refused).toEqual({ _tag: 'Conflict', ref: { type: 'Goal', id: 'last' }, actual: null });
    expect(await answer(store.scan(everything))).toEqual([]);
    expect(await answer(store.changesSince(everything))).toEqual([]);
  });
};
