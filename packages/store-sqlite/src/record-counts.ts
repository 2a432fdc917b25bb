import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './schema.ts';
import { prepareStatement } from './statement.ts';

/**
 * The position up to which all records are counted. It is the largest of all rows, because the row of a type without
 * new records is older.
 */
const selectCountedPosition = (db: QueryBuilder) =>
  db.selectFrom('counts').select(({ fn }) => fn.coalesce(fn.max('counted'), sql.lit(0)).as('counted'));

/** The number of records of a type with a resource: the counted ones and the newest. */
export const selectReadableCount = (db: QueryBuilder, type: Expression<string>): RawBuilder<number> => {
  const countedRecords = db.selectFrom('counts').select('readable').where('counts.type', '=', type);
  const newestRecords = db
    .selectFrom('records')
    .select(({ fn }) => fn.countAll<number>().as('newest'))
    .where('records.type', '=', type)
    .where('records.readable', '=', sql.lit(1))
    .where('records.position', '>', selectCountedPosition(db));
  return sql`(coalesce(${countedRecords}, 0) + ${newestRecords})`;
};

/**
 * After this many positions, the newest records are counted. Until then searches count them, which costs less than a
 * write for each.
 */
const maxUncounted = 256;

type ReadabilityChange = { readonly type: string; readonly position: number; readonly by: 1 | -1 };

/** Counts the records that have a resource. */
export type RecordCounts = {
  /** Must be called with the position of each new record. */
  readonly onCreated: (position: number) => void;
  /** Must be called for an older record that gets a resource (`by` is 1) or loses it (-1). */
  readonly onReadabilityChange: (record: ReadabilityChange) => void;
};

export const createRecordCounts = (database: SqliteDatabase, db: QueryBuilder): RecordCounts => {
  const insert = db
    .insertInto('counts')
    .columns(['type', 'readable', 'counted'])
    .onConflict((conflict) =>
      conflict.column('type').doUpdateSet(({ ref }) => ({
        readable: sql`${ref('counts.readable')} + ${ref('excluded.readable')}`,
        counted: sql`max(${ref('counts.counted')}, ${ref('excluded.counted')})`,
      })),
    );

  const countNewest = prepareStatement<{ readonly position: number }>(database, (placeholder) =>
    insert.expression(
      db
        .selectFrom('records')
        .select(({ fn }) => [
          'type',
          fn.sum<number>('readable').as('readable'),
          placeholder.of('position').as('counted'),
        ])
        .where('position', '>', selectCountedPosition(db))
        .groupBy('type'),
    ),
  );

  const turn = prepareStatement<ReadabilityChange>(database, (placeholder) =>
    insert.expression(
      db
        .selectNoFrom([
          placeholder.of('type').as('type'),
          placeholder.from(({ by }): number => by).as('readable'),
          sql.lit(0).as('counted'),
        ])
        .where(placeholder.of('position'), '<=', selectCountedPosition(db)),
    ),
  );

  let lastCounted = 0;
  return {
    onCreated: (position) => {
      // The position is far below the last counted one if many writes were rolled back.
      if (Math.abs(position - lastCounted) < maxUncounted) return;
      countNewest.run({ position });
      lastCounted = position;
    },
    onReadabilityChange: turn.run,
  };
};
