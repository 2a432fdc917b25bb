import { hash } from 'node:crypto';
import { computeDigest, countedPosition, type RecordChange } from '@clinical-records/core/store';
import type { SqliteDatabase } from '../database.ts';
import { createReadFeedEnd, type FeedPlace } from '../record-reader.ts';
import type { QueryBuilder } from '../schema.ts';

/** The end of the feed. */
export type FeedHead = {
  /** Returns the position of the next version, and its digest. */
  readonly append: (change: RecordChange, version: number) => FeedPlace;
  /** Must be called if others may have written since, or if writes may be rolled back. The end is then read again. */
  readonly forget: () => void;
};

const sha256 = (text: string): string => hash('sha256', text);

const feedStart: FeedPlace = { position: 0, digest: '' };

/** Nothing else appends within a write transaction. So the end of the feed is read once, and then kept in memory. */
export const createFeedHead = (database: SqliteDatabase, db: QueryBuilder): FeedHead => {
  const readFeedEnd = createReadFeedEnd(database, db);
  let head: FeedPlace | null = null;
  return {
    append: (change, version) => {
      const { position, digest } = head ?? readFeedEnd() ?? feedStart;
      const next = position + 1;
      const entry = { ...change, version, position: countedPosition(next) };
      head = { position: next, digest: computeDigest(sha256, digest, entry) };
      return head;
    },
    forget: () => {
      head = null;
    },
  };
};
