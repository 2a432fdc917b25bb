import type { IndexEntry } from '@clinical-records/core';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { prepare } from '../statement.ts';
import { type Terms, termOf } from '../terms.ts';

type Entry = { readonly term: number; readonly record: number };
type Dated = Entry & { readonly from: number; readonly until: number };

/** What a record is found by. */
export type IndexEntries = {
  readonly add: (record: number, type: string, index: readonly IndexEntry[]) => void;
  readonly clear: (record: number) => void;
};

export const indexEntries = (database: SqliteDatabase, db: QueryBuilder, terms: Terms): IndexEntries => {
  const addEntry = prepare<Entry, object>(database, (given) =>
    db
      .insertInto('entries')
      .values({ term: given(({ term }) => term), record: given(({ record }) => record) })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const addDate = prepare<Dated, object>(database, (given) =>
    db
      .insertInto('dates')
      .values({
        term: given(({ term }) => term),
        record: given(({ record }) => record),
        from: given(({ from }) => from),
        until: given(({ until }) => until),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const clearEntries = prepare<number, object>(database, (given) =>
    db.deleteFrom('entries').where(
      'record',
      '=',
      given((record) => record),
    ),
  );
  const clearDates = prepare<number, object>(database, (given) =>
    db.deleteFrom('dates').where(
      'record',
      '=',
      given((record) => record),
    ),
  );

  return {
    add: (record, type, index) => {
      for (const entry of index) {
        const term = terms.findOrAdd(termOf(type, entry));
        if (entry.kind === 'date') addDate.run({ term, record, from: entry.from, until: entry.until });
        else addEntry.run({ term, record });
      }
    },
    clear: (record) => {
      clearEntries.run(record);
      clearDates.run(record);
    },
  };
};
