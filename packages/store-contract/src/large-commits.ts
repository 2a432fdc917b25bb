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
} from './builders.ts';
import type { TestTopic } from './test-topic.ts';

const many = Array.from({ length: 1000 }, (_, at) => at);

const index = (at: number) => [
  ...many.slice(0, 8).map((nth) => token(`p${nth}`, `${at}`, 'system')),
  reference('encounter', 'Encounter', `${at}`),
  date('date', at, at + 1),
];

const changes = many.map((at) => change({ id: `r${at}`, index: index(at) }));
const ids = idsOf(changes);

const absentChecks = many.map(
  (at): VersionCheck => ({ type: 'Goal', id: `absent-${at}`, expects: noVersion }),
);

/** Conditions that hold for all of the records. */
const conditions: readonly SearchCondition[] = [
  { on: 'token', parameter: 'p7', anyOf: [{ system: 'system', code: null }] },
  { on: 'date', parameter: 'date', anyOf: [{ prefix: 'eq', from: 0, until: many.length }] },
];
const everything = { limit: 2 * many.length };

export const largeCommits: TestTopic = (test) => {
  test('a commit can have a thousand changes and a thousand version checks', async (store) => {
    expect(await commit(store, changes, absentChecks)).toEqual(many.map(() => 1));
    expect(idsOf(await resultOf(store.changesSince(everything)))).toEqual(ids);
    expect((await resultOf(store.scan(everything))).map(({ id, index: { length } }) => [id, length])).toEqual(
      ids.map((id) => [id, 10]),
    );
    const { matches, total } = await resultOf(store.search(query(conditions, { count: many.length })));
    expect([idsOf(matches), total]).toEqual([ids, many.length]);
    expect(await commit(store, changes, absentChecks)).toEqual(many.map(() => 2));
  });

  test('a change can have a thousand index entries', async (store) => {
    const entries = many.map((at) => token('code', `${at}`));
    await commit(store, [change({ index: entries }), change({ id: 'other', index: entries.slice(1) })]);
    for (const [code, found] of [
      ['0', ['a']],
      ['999', ['a', 'other']],
    ] as const) {
      const condition = { on: 'token', parameter: 'code', anyOf: [{ system: '', code }] } as const;
      expect(await findIds(store, condition)).toEqual(found);
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
