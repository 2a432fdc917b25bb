import type { FeedEntry } from '@clinical-records/core/store';
import Database from 'better-sqlite3';
import { expect } from 'vitest';
import { openSqliteStore } from '../../src/index.ts';
import { resultOf } from '../store-helpers.ts';
import type { ProcessLog } from './run-until-killed.ts';
import { createClinic, writeNumberOf } from './writes.ts';

const wholeFeed = { limit: 100_000 };

/** A version without its place in the feed. */
const withoutFeedPosition = ({ position, digest, ...version }: FeedEntry) => version;

/** That each position stands once, and versions of each record count 1, 2, 3 …, and are its history. */
const expectOrder = (feed: readonly FeedEntry[]): void => {
  const positions = feed.map(({ position }) => position);
  expect(positions).toEqual([...new Set(positions)]);
  for (const versions of Map.groupBy(feed, ({ type, id }) => `${type}/${id}`).values()) {
    expect(versions.map(({ version }) => version)).toEqual(versions.map((_, at) => at + 1));
  }
};

const expectSoundFile = (filename: string): void => {
  const database = new Database(filename, { readonly: true });
  expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
  expect(database.pragma('foreign_key_check')).toEqual([]);
  database.close();
};

/**
 * The content that a file must have, whenever the processes that write to it are killed. The writes that left a trace
 * in it are done again in the order of the file, on a store that is not killed. If the two differ in a letter, the file
 * has half of a write, or content that was not requested.
 */
export const createMirror = (filename: string) => {
  const safe = openSqliteStore({ filename: ':memory:' });
  const { write } = createClinic(safe);
  const begun = new Map<number, ProcessLog['writes'][number]>();
  const answered = new Map<number, unknown>();
  const done = new Map<number, unknown>();

  return {
    /** How many writes were asked for so far. */
    begun: () => begun.size,
    learn: (life: ProcessLog): void => {
      for (const one of life.writes) begun.set(one.at, one);
      for (const [at, said] of life.results) answered.set(at, said);
    },
    check: async (): Promise<void> => {
      const store = openSqliteStore({ filename });
      const { records } = createClinic(store);
      expectSoundFile(filename);
      expect((await records.verify()).discrepancies).toEqual([]);

      const feed = await resultOf(store.changesSince(wholeFeed));
      for (const version of feed) {
        const at = writeNumberOf(version);
        if (done.has(at)) continue;
        const one = begun.get(at);
        if (one === undefined) throw new Error(`Nobody asked for what was written at ${at}.`);
        done.set(at, JSON.parse(JSON.stringify(await write(one))));
      }
      expect(feed.map(withoutFeedPosition)).toEqual(
        (await resultOf(safe.changesSince(wholeFeed))).map(withoutFeedPosition),
      );
      for (const [at, said] of answered) expect([at, done.get(at)]).toEqual([at, said]);

      expectOrder(feed);
      for (const [, [entry]] of Map.groupBy(feed, ({ type, id }) => `${type}/${id}`)) {
        if (entry === undefined) continue;
        const versions = feed
          .filter(({ type, id }) => type === entry.type && id === entry.id)
          .map(withoutFeedPosition);
        const { type, id } = entry;
        const history = await resultOf(store.history({ type, id, limit: versions.length + 1 }));
        const read = history.map(({ version }) => resultOf(store.readVersion({ type, id, version })));
        expect(await Promise.all(read)).toEqual(versions.toReversed());
      }
      await store.close();
    },
    close: () => safe.close(),
  };
};
