import type { IndexEntry } from '@clinical-records/core';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Tables } from '../schema.ts';
import { prepare } from '../statement.ts';
import { termOf } from '../term.ts';
import type { Terms } from '../terms.ts';

type OfRecord = { readonly record: number };
type Entries = OfRecord & { readonly terms: readonly number[] };

/** What a record is found by. */
export type IndexEntries = {
  readonly add: (record: number, type: string, index: readonly IndexEntry[]) => void;
  readonly clear: (record: number) => void;
};

/** How many entries one statement adds, at most: most records have fewer. */
const mostAtOnce = 8;

export const indexEntries = (database: SqliteDatabase, db: QueryBuilder, terms: Terms): IndexEntries => {
  // An entry that is said twice is kept once.
  const adding = (count: number) =>
    prepare<Entries>(database, (given) =>
      db
        .insertInto('entries')
        .values(
          Array.from({ length: count }, (_, at) => ({
            term: given.from((entries) => entries.terms[at] as number),
            record: given.of('record'),
          })),
        )
        .onConflict((conflict) => conflict.doNothing()),
    );
  const addEntries = Array.from({ length: mostAtOnce }, (_, at) => adding(at + 1));
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
      let found: number[] = [];
      const addFound = () => {
        addEntries[found.length - 1]?.run({ record, terms: found });
        found = [];
      };
      for (const entry of index) {
        const term = terms.findOrAdd(termOf(type, entry));
        if (entry.kind === 'date') addDate.run({ term, record, from: entry.from, until: entry.until });
        else if (found.push(term) === mostAtOnce) addFound();
      }
      addFound();
    },
    clear: (record) => {
      clearEntries.run({ record });
      clearDates.run({ record });
    },
  };
};
