import {
  type Change,
  type ClinicalStore,
  type Commit,
  type SearchCondition,
  Version,
} from '@clinical-records/core';
import { expect } from 'vitest';
import { answer, change, query, token, turn, write } from './builders.ts';
import type { Topic } from './topic.ts';

const rounds = 8;

const textOf = (round: number) => `{"round":${round}}`;

const written = (id: string, round: number): Change =>
  change({ id, state: textOf(round), resource: textOf(round), index: [token('round', `${round}`)] });

const idsIn = (round: number) => ['a', 'b', `new-${round}`];

/** In each round a commit that lands, of two records and a new one, and one that is refused by its last change. */
const commits: readonly Commit[] = Array.from({ length: rounds }, (_, at) => at + 1).flatMap((round) => [
  { changes: idsIn(round).map((id) => written(id, round)), premises: [] },
  {
    changes: [written('refused', 0), written('a', 0), { ...written('b', 0), expects: Version(1000) }],
    premises: [],
  },
]);

type Told = { readonly id: string; readonly resource: string | null };

/** What there is after some rounds: all of each, in the order of creation. */
const standingAfter = (round: number) => [
  ...(round === 0 ? [] : ['a', 'b'].map((id) => ({ id, resource: textOf(round) }))),
  ...Array.from({ length: round }, (_, at) => ({ id: `new-${at + 1}`, resource: textOf(at + 1) })),
];

const expectOneMoment = (told: readonly Told[]): void =>
  expect(told.map(({ id, resource }) => ({ id, resource }))).toEqual(
    standingAfter(Math.max(0, told.length - 2)),
  );

/** Looks as each commit begins, and again and again until it is answered. */
const lookBeside = async (store: ClinicalStore, look: () => Promise<void>): Promise<void> => {
  for (const one of commits) {
    let isUnderWay = true;
    const before = look();
    const commit = store
      .commit(one)()
      .finally(() => {
        isUnderWay = false;
      });
    const meanwhile = async () => {
      do {
        await look();
        await turn();
      } while (isUnderWay);
    };
    await Promise.all([before, commit, meanwhile()]);
  }
};

const anyRound: SearchCondition = {
  on: 'token',
  parameter: 'round',
  anyOf: [{ system: null, code: null }],
};
const fromTheStart = { position: 0, limit: 1000 };

export const oneMoment: Topic = (test) => {
  test('a page and its total are of one moment, whatever is committed meanwhile', (store) =>
    lookBeside(store, async () => {
      for (const conditions of [[], [anyRound]]) {
        const { matches, total } = await answer(store.search(query(conditions)));
        expectOneMoment(matches);
        expect(total).toBe(matches.length);
      }
    }));

  test('records in a scan and their index entries are of one moment, whatever is committed meanwhile', (store) =>
    lookBeside(store, async () => {
      const records = await answer(store.scan(fromTheStart));
      expectOneMoment(records);
      for (const { state, index } of records)
        expect(index.map((entry) => entry.kind === 'token' && textOf(Number(entry.code)))).toEqual([state]);
    }));

  test('versions in a history are of one moment, whatever is committed meanwhile', (store) =>
    lookBeside(store, async () => {
      const versions = await answer(store.history(change()));
      const told = versions.map(({ version, state }) => ({ version, state }));
      const all = versions.map((_, at) => ({ version: at + 1, state: textOf(at + 1) }));
      expect(told).toEqual(all.toReversed());
    }));

  test('the feed tells all of a commit or nothing of it, whatever is committed meanwhile', (store) =>
    lookBeside(store, async () => {
      const feed = await answer(store.changesSince(fromTheStart));
      const told = feed.map(({ id, state }) => ({ id, state }));
      const whole = Array.from({ length: Math.ceil(feed.length / 3) }, (_, at) =>
        idsIn(at + 1).map((id) => ({ id, state: textOf(at + 1) })),
      );
      expect(told).toEqual(whole.flat());
    }));

  test('a record is read as some commit has left it, and nothing is of a commit that is refused', (store) =>
    lookBeside(store, async () => {
      const [record, resource, refused] = await Promise.all([
        answer(store.read(change())),
        answer(store.readResource(change())),
        answer(store.read(change({ id: 'refused' }))),
      ]);
      expect(record?.state).toBe(record === null ? undefined : textOf(record.version));
      expect(resource?.resource).toBe(resource === null ? undefined : textOf(resource.version));
      expect(refused).toBeNull();
    }));

  test('what was answered stays as it was, whatever is committed afterwards', async (store) => {
    await write(store, written('a', 1), written('a', 2));
    const tasks = [
      store.read(change()),
      store.readResource(change()),
      store.search(query()),
      store.history(change()),
      store.changesSince(fromTheStart),
      store.scan(fromTheStart),
    ];
    const answers = await Promise.all(tasks.map((task) => answer<unknown>(task)));
    const before = structuredClone(answers);
    await write(store, written('a', 3), { ...written('a', 4), resource: null }, written('b', 1));
    expect(answers).toEqual(before);
  });
};
