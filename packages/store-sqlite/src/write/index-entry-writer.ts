import { type IndexEntry, termOf } from '@clinical-records/core/store';
import type { SqliteDatabase } from '../database.ts';
import { prepareStatement } from '../prepare-statement.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Tables } from '../schema.ts';
import type { TermDictionary } from '../term-dictionary.ts';

type RecordKey = { readonly record: number };

/** Writes the index entries of a record. */
export type IndexEntryWriter = {
  readonly add: (record: number, type: string, index: readonly IndexEntry[]) => void;
  readonly clear: (record: number) => void;
};

export const createIndexEntryWriter = (
  database: SqliteDatabase,
  db: QueryBuilder,
  terms: TermDictionary,
): IndexEntryWriter => {
  // A repeated entry is stored once.
  const addEntry = prepareStatement<Tables['entries']>(database, (placeholder) =>
    db
      .insertInto('entries')
      .values({ term: placeholder.of('term'), record: placeholder.of('record') })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const addDate = prepareStatement<Tables['dates']>(database, (placeholder) =>
    db
      .insertInto('dates')
      .values({
        term: placeholder.of('term'),
        record: placeholder.of('record'),
        from: placeholder.of('from'),
        until: placeholder.of('until'),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const clearEntries = prepareStatement<RecordKey>(database, (placeholder) =>
    db.deleteFrom('entries').where('record', '=', placeholder.of('record')),
  );
  const clearDates = prepareStatement<RecordKey>(database, (placeholder) =>
    db.deleteFrom('dates').where('record', '=', placeholder.of('record')),
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
