import type { SqliteDatabase } from './database.ts';
import { prepareStatement } from './prepare-statement.ts';
import type { QueryBuilder } from './schema.ts';

/** A position in the feed, and the digest of the version there. */
export type FeedPlace = { readonly position: number; readonly digest: string };

/** Reads the end of the feed; null if the feed is empty. */
export const createReadFeedEnd = (database: SqliteDatabase, db: QueryBuilder): (() => FeedPlace | null) => {
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
  const latest = prepareStatement<null, FeedPlace>(database, () =>
    latestBy('position').unionAll(latestBy('committed')).orderBy('position', 'desc'),
  );
  return () => latest.first(null);
};
