import type { IndexEntry } from '@clinical-records/core';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Tables } from '../schema.ts';
import { prepare } from '../statement.ts';
import { termOf } from '../term.ts';
import type { Terms } from '../terms.ts';

type OfRecord = { readonly record: number };

/** What a record is found by. */
export type IndexEntries = {
  readonly add: (record: number, type: string, index: readonly IndexEntry[]) => void;
  readonly clear: (record: number) => void;
};

export const indexEntries = (database: SqliteDatabase, db: QueryBuilder, terms: Terms): IndexEntries => {
  // An entry that is said twice is kept once.
  const addEntry = prepare<Tables['entries']>(database, (given) =>
    db
      .insertInto('entries')
      .values({ term: given.of('term'), record: given.of('record') })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const addDate = prepare<Tables['dates']>(database, (given) =>
    db
      .insertInto('dates')
      .values({
        term: given.of('term'),
        record: given.of('record'),
        from: given.of('from'),
        until: given.of('until'),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const clearEntries = prepare<OfRecord>(database, (given) =>
    db.deleteFrom('entries').where('record', '=', given.of('record')),
  );
  const clearDates = prepare<OfRecord>(database, (given) =>
    db.deleteFrom('dates').where('record', '=', given.of('record')),
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
      clearEntries.run({ record });
      clearDates.run({ record });
    },
  };
};
