import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { prepare } from './statement.ts';

/** The position up to which all records are counted: the largest of all rows, since that of a type without new ones stays behind. */
const counted = (db: QueryBuilder) =>
  db.selectFrom('counts').select(({ fn }) => fn.coalesce(fn.max('counted'), sql.lit(0)).as('counted'));

/** How many records of a type have a resource: those that are counted, and the newest besides. */
export const readableOf = (db: QueryBuilder, type: Expression<string>): RawBuilder<number> => {
  const known = db.selectFrom('counts').select('readable').where('counts.type', '=', type);
  const newest = db
    .selectFrom('records')
    .select(({ fn }) => fn.countAll<number>().as('newest'))
    .where('records.type', '=', type)
    .where('records.readable', '=', sql.lit(1))
    .where('records.position', '>', counted(db));
  return sql`(coalesce(${known}, 0) + ${newest})`;
};

/** How many positions pass before the newest records are counted: searches count them till then, which costs less than a write each. */
const mostWaiting = 256;

type Turned = { readonly type: string; readonly position: number; readonly by: 1 | -1 };

/** Keeps count of the records that have a resource. */
export type Counts = {
  /** Must be told the position of each new record. */
  readonly created: (position: number) => void;
  /** Must be told of an older record that gains its resource (`by` is 1) or loses it (-1). */
  readonly turned: (record: Turned) => void;
};

export const counts = (database: SqliteDatabase, db: QueryBuilder): Counts => {
  const insert = db
    .insertInto('counts')
    .columns(['type', 'readable', 'counted'])
    .onConflict((conflict) =>
      conflict.column('type').doUpdateSet(({ ref }) => ({
        readable: sql`${ref('counts.readable')} + ${ref('excluded.readable')}`,
        counted: sql`max(${ref('counts.counted')}, ${ref('excluded.counted')})`,
      })),
    );

  const countNewest = prepare<{ readonly position: number }>(database, (given) =>
    insert.expression(
      db
        .selectFrom('records')
        .select(({ fn }) => [
          'type',
          fn.sum<number>('readable').as('readable'),
          given.of('position').as('counted'),
        ])
        .where('position', '>', counted(db))
        .groupBy('type'),
    ),
  );

  const turn = prepare<Turned>(database, (given) =>
    insert.expression(
      db
        .selectNoFrom([
          given.of('type').as('type'),
          given.from(({ by }): number => by).as('readable'),
          sql.lit(0).as('counted'),
        ])
        .where(given.of('position'), '<=', counted(db)),
    ),
  );

  let lastCounted = 0;
  return {
    created: (position) => {
      // The position is far below the one counted last where much that was written has been undone.
      if (Math.abs(position - lastCounted) < mostWaiting) return;
      countNewest.run({ position });
      lastCounted = position;
    },
    turned: turn.run,
  };
};
