import { hash } from 'node:crypto';
import { computeDigest, countedPosition, type RecordChange } from '@clinical-records/core';
import type { SqliteDatabase } from '../database.ts';
import { prepareStatement } from '../prepare-statement.ts';
import type { QueryBuilder } from '../query-builder.ts';

/** A place in the feed, and the digest of the version that stands there. */
export type FeedPosition = { readonly position: number; readonly digest: string };

/** Where the feed ends. */
export type FeedHead = {
  /** The place of the next version. */
  readonly append: (change: RecordChange, version: number) => FeedPosition;
  /** Must be called where others may have written since, or what was written may be undone: it is read again then. */
  readonly forget: () => void;
};

const sha256 = (text: string): string => hash('sha256', text);

const feedStart: FeedPosition = { position: 0, digest: '' };

/** Within a write transaction nobody else appends: so the end of the feed is read once, and carried on in memory. */
export const createFeedHead = (database: SqliteDatabase, db: QueryBuilder): FeedHead => {
  // Two that each look at the end of an index: the newest version is that of a new record or of an older one.
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
