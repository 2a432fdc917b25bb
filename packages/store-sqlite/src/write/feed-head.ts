import { hash } from 'node:crypto';
import { computeDigest, countedPosition, type RecordChange } from '@clinical-records/core/store';
import type { SqliteDatabase } from '../database.ts';
import { prepareStatement } from '../prepare-statement.ts';
import type { QueryBuilder } from '../query-builder.ts';

/** A position in the feed, and the digest of the version there. */
export type FeedPosition = { readonly position: number; readonly digest: string };

/** The end of the feed. */
export type FeedHead = {
  /** Returns the position of the next version, and its digest. */
  readonly append: (change: RecordChange, version: number) => FeedPosition;
  /** Must be called if others may have written since, or if writes may be rolled back. The end is then read again. */
  readonly forget: () => void;
};

const sha256 = (text: string): string => hash('sha256', text);

const feedStart: FeedPosition = { position: 0, digest: '' };

/** Nothing else appends within a write transaction. So the end of the feed is read once, and then kept in memory. */
export const createFeedHead = (database: SqliteDatabase, db: QueryBuilder): FeedHead => {
  // Each of the two looks at the end of an index. The newest version is the version of a new record or of an older one.
  const latestBy = (column: 'position' | 'committed') =>
    db
      .selectFrom('records')
      .select(({ fn }) => [fn.coalesce('committed', 'position').as('position'), 'digest'])
      .where(column, '=', (inner) =>
        inner
          .selectFrom('records as newest')
          .select(({ fn }) => fn.max(`newest.${column}`).as('latest'))
          .where(`newest.${column}`, 'is not', null),
      );
  const latest = prepareStatement<null, FeedPosition>(database, () =>
    latestBy('position').unionAll(latestBy('committed')).orderBy('position', 'desc'),
  );

  let head: FeedPosition | null = null;
  return {
    append: (change, version) => {
      const { position, digest } = head ?? latest.first(null) ?? feedStart;
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
