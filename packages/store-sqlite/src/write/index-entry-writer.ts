import { type IndexEntry, termOf } from '@clinical-records/core/store';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder, Tables } from '../schema.ts';
import { prepareStatement } from '../statement.ts';
import type { TermDictionary } from '../term-dictionary.ts';

type RecordKey = { readonly record: number };
type EntryRow = Tables['entries'];
type DateRow = Tables['dates'];

/** Writes the index entries of a record. */
export type IndexEntryWriter = {
  /** Adds the entries of a record that has none. */
  readonly add: (record: number, type: string, index: readonly IndexEntry[]) => void;
  /** Deletes and adds the entries in which a record differs. */
  readonly replace: (record: number, type: string, index: readonly IndexEntry[]) => void;
};

export const createIndexEntryWriter = (
  database: SqliteDatabase,
  db: QueryBuilder,
  terms: TermDictionary,
): IndexEntryWriter => {
  // A repeated entry is stored once.
  const addEntry = prepareStatement<EntryRow>(database, (placeholder) =>
    db
      .insertInto('entries')
      .values({ term: placeholder.of('term'), record: placeholder.of('record') })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const addDate = prepareStatement<DateRow>(database, (placeholder) =>
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
  const entriesOf = prepareStatement<RecordKey, EntryRow>(database, (placeholder) =>
    db.selectFrom('entries').selectAll().where('record', '=', placeholder.of('record')),
  );
  const datesOf = prepareStatement<RecordKey, DateRow>(database, (placeholder) =>
    db.selectFrom('dates').selectAll().where('record', '=', placeholder.of('record')),
  );
  const deleteEntry = prepareStatement<EntryRow>(database, (placeholder) =>
    db
      .deleteFrom('entries')
      .where('term', '=', placeholder.of('term'))
      .where('record', '=', placeholder.of('record')),
  );
  const deleteDate = prepareStatement<DateRow>(database, (placeholder) =>
    db
      .deleteFrom('dates')
      .where('record', '=', placeholder.of('record'))
      .where('term', '=', placeholder.of('term'))
      .where('from', '=', placeholder.of('from'))
      .where('until', '=', placeholder.of('until')),
  );

  const keyOf = ({ term, from, until }: DateRow): string => `${term} ${from} ${until}`;

  return {
    add: (record, type, index) => {
      for (const entry of index) {
        const term = terms.findOrAdd(termOf(type, entry));
        if (entry.kind === 'date') addDate.run({ term, record, from: entry.from, until: entry.until });
        else addEntry.run({ term, record });
      }
    },
    replace: (record, type, index) => {
      const entries = new Set<number>();
      const dates = new Map<string, DateRow>();
      for (const entry of index) {
        const term = terms.findOrAdd(termOf(type, entry));
        if (entry.kind === 'date') {
          const row = { term, record, from: entry.from, until: entry.until };
          dates.set(keyOf(row), row);
        } else entries.add(term);
      }
      for (const row of entriesOf.all({ record })) if (!entries.delete(row.term)) deleteEntry.run(row);
      for (const row of datesOf.all({ record })) if (!dates.delete(keyOf(row))) deleteDate.run(row);
      for (const term of entries) addEntry.run({ term, record });
      for (const row of dates.values()) addDate.run(row);
    },
  };
};
