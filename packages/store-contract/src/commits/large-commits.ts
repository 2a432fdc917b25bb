import {
  exactVersion,
  noVersion,
  type SearchCondition,
  type VersionCheck,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import {
  change,
  commit,
  date,
  errorOf,
  findIds,
  idsOf,
  query,
  reference,
  resultOf,
  token,
} from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const numbers = Array.from({ length: 1000 }, (_, index) => index);

const indexOf = (number: number) => [
  ...numbers.slice(0, 8).map((nth) => token(`p${nth}`, `${number}`, 'system')),
  reference('encounter', 'Encounter', `${number}`),
  date('date', number, number + 1),
];

const changes = numbers.map((number) => change({ id: `r${number}`, index: indexOf(number) }));
const ids = idsOf(changes);

const absentChecks = numbers.map(
  (number): VersionCheck => ({ type: 'Goal', id: `absent-${number}`, expects: noVersion }),
);

/** Conditions that hold for all of the records. */
const conditions: readonly SearchCondition[] = [
  { on: 'token', parameter: 'p7', anyOf: [{ system: 'system', code: null }] },
  { on: 'date', parameter: 'date', anyOf: [{ prefix: 'eq', from: 0, until: numbers.length }] },
];
const everything = { limit: 2 * numbers.length };

export const largeCommits: TestTopic = (test) => {
  test('a commit can have a thousand changes and a thousand version checks', async (store) => {
    expect(await commit(store, changes, absentChecks)).toEqual(numbers.map(() => 1));
    expect(idsOf(await resultOf(store.changesSince(everything)))).toEqual(ids);
    expect((await resultOf(store.scan(everything))).map(({ id, index: { length } }) => [id, length])).toEqual(
      ids.map((id) => [id, 10]),
    );
    const { matches, total } = await resultOf(store.search(query(conditions, { count: numbers.length })));
    expect([idsOf(matches), total]).toEqual([ids, numbers.length]);
    expect(await commit(store, changes, absentChecks)).toEqual(numbers.map(() => 2));
  });

  test('a change can have a thousand index entries', async (store) => {
    const entries = numbers.map((number) => token('code', `${number}`));
    await commit(store, [change({ index: entries }), change({ id: 'other', index: entries.slice(1) })]);
    for (const [code, expected] of [
      ['0', ['a']],
      ['999', ['a', 'other']],
    ] as const) {
      const condition = { on: 'token', parameter: 'code', anyOf: [{ system: '', code }] } as const;
      expect(await findIds(store, condition)).toEqual(expected);
    }
  });

  test('none of a thousand changes is written if the last of a thousand version checks fails', async (store) => {
    const last: VersionCheck = { type: 'Goal', id: 'last', expects: exactVersion(1) };
    const refused = await errorOf(store.commit({ changes, versionChecks: [...absentChecks.slice(1), last] }));
    expect(refused).toEqual({ _tag: 'Conflict', ref: { type: 'Goal', id: 'last' }, actual: null });
    expect(await resultOf(store.scan(everything))).toEqual([]);
    expect(await resultOf(store.changesSince(everything))).toEqual([]);
  });
};
