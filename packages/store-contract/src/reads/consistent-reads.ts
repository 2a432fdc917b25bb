import {
  type ClinicalStore,
  type Commit,
  exactVersion,
  type RecordChange,
  type SearchCondition,
} from '@clinical-records/core/store';
import { expect } from 'vitest';
import {
  change,
  nextTurn,
  query,
  readHistory,
  refOf,
  resultOf,
  token,
  versionOf,
  write,
} from '../builders.ts';
import type { TestTopic } from '../test-topic.ts';

const rounds = 8;

const textOfRound = (round: number) => `{"round":${round}}`;

const changeOfRound = (id: string, round: number): RecordChange =>
  change({
    id,
    state: textOfRound(round),
    resource: textOfRound(round),
    index: [token('round', `${round}`)],
  });

const idsOfRound = (round: number) => ['a', 'b', `new-${round}`];

/** Each round has a commit that succeeds, of two records and a new one, and one that its last change makes fail. */
const commits: readonly Commit[] = Array.from({ length: rounds }, (_, index) => index + 1).flatMap(
  (round) => [
    { changes: idsOfRound(round).map((id) => changeOfRound(id, round)), versionChecks: [] },
    {
      changes: [
        changeOfRound('refused', 0),
        changeOfRound('a', 0),
        { ...changeOfRound('b', 0), expects: exactVersion(1000) },
      ],
      versionChecks: [],
    },
  ],
);

type RecordView = { readonly id: string; readonly resource: string | null };

/** Everything in the store after some rounds, in the order of creation. */
const recordsAfter = (round: number) => [
  ...(round === 0 ? [] : ['a', 'b'].map((id) => ({ id, resource: textOfRound(round) }))),
  ...Array.from({ length: round }, (_, index) => ({
    id: `new-${index + 1}`,
    resource: textOfRound(index + 1),
  })),
];

const expectConsistent = (records: readonly RecordView[]): void =>
  expect(records.map(({ id, resource }) => ({ id, resource }))).toEqual(
    recordsAfter(Math.max(0, records.length - 2)),
  );

/** Reads when each commit begins, and again and again until the commit returns. */
const readDuringCommits = async (store: ClinicalStore, read: () => Promise<void>): Promise<void> => {
  for (const sent of commits) {
    let isUnderWay = true;
    const before = read();
    const commit = store.commit(sent).finally(() => {
      isUnderWay = false;
    });
    const meanwhile = async () => {
      do {
        await read();
        await nextTurn();
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
const fromTheStart = { limit: 1000 };

export const consistentReads: TestTopic = (test) => {
  test('a page and its total are of one moment, whatever is committed meanwhile', (store) =>
    readDuringCommits(store, async () => {
      for (const conditions of [[], [anyRound]]) {
        const { matches, total } = await resultOf(store.search(query(conditions)));
        expectConsistent(matches);
        expect(total).toBe(matches.length);
      }
    }));

  test('records in a scan and their index entries are of one moment, whatever is committed meanwhile', (store) =>
    readDuringCommits(store, async () => {
      const records = await resultOf(store.scan(fromTheStart));
      expectConsistent(records);
      for (const { state, index } of records)
        expect(index.map((entry) => entry.kind === 'token' && textOfRound(Number(entry.code)))).toEqual([
          state,
        ]);
    }));

  test('versions in a history are of one moment, whatever is committed meanwhile', (store) =>
    readDuringCommits(store, async () => {
      const versions = await readHistory(store, change());
      const numbers = versions.map((_, index) => index + 1);
      expect(versions.map(({ version }) => version)).toEqual(numbers.toReversed());
      const read = await Promise.all(
        numbers.map((version) => resultOf(store.readVersion({ ...refOf(change()), version }))),
      );
      expect(read.map((version) => version?.state)).toEqual(numbers.map(textOfRound));
    }));

  test('the feed shows all of a commit or nothing of it, whatever is committed meanwhile', (store) =>
    readDuringCommits(store, async () => {
      const feed = await resultOf(store.changesSince(fromTheStart));
      const seen = feed.map(({ id, state }) => ({ id, state }));
      const whole = Array.from({ length: Math.ceil(feed.length / 3) }, (_, index) =>
        idsOfRound(index + 1).map((id) => ({ id, state: textOfRound(index + 1) })),
      );
      expect(seen).toEqual(whole.flat());
    }));

  test('the end of the feed is that of a whole commit, and every later version comes after it', (store) =>
    readDuringCommits(store, async () => {
      const earlier = await resultOf(store.changesSince(fromTheStart));
      const end = await resultOf(store.feedEnd());
      const later = await resultOf(store.changesSince({ ...fromTheStart, ...end }));
      const earlierPositions = new Set(earlier.map(({ position }) => position));
      expect(later.filter(({ position }) => earlierPositions.has(position))).toEqual([]);
      const wholeCommits = Array.from({ length: Math.ceil(later.length / 3) }, () => ['a', 'b', 'new']);
      expect(later.map(({ id }) => id.replace(/-\d+$/, ''))).toEqual(wholeCommits.flat());
    }));

  test('a record is read as some commit has written it, never as a refused commit would have', (store) =>
    readDuringCommits(store, async () => {
      const [record, resource, refused] = await Promise.all([
        resultOf(store.read(change())),
        resultOf(store.readResource(change())),
        resultOf(store.read(change({ id: 'refused' }))),
      ]);
      expect(record?.state).toBe(record === null ? undefined : textOfRound(record.version));
      expect(resource?.resource).toBe(resource === null ? undefined : textOfRound(resource.version));
      expect(refused).toBeNull();
    }));

  test('a result does not change, whatever is committed afterwards', async (store) => {
    await write(store, changeOfRound('a', 1), changeOfRound('a', 2));
    const called = [
      store.read(change()),
      store.readResource(change()),
      store.search(query()),
      store.readVersion(versionOf(change(), 1)),
      store.history({ ...refOf(change()), limit: 10 }),
      store.changesSince(fromTheStart),
      store.feedEnd(),
      store.scan(fromTheStart),
      store.indexedParameters(),
    ];
    const answers = await Promise.all(called.map((call) => resultOf<unknown>(call)));
    const before = structuredClone(answers);
    await write(
      store,
      changeOfRound('a', 3),
      { ...changeOfRound('a', 4), resource: null },
      changeOfRound('b', 1),
    );
    expect(answers).toEqual(before);
  });
};
