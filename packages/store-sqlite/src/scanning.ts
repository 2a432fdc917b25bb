import { endPage, type IndexEntry, type IndexedRecord, type Stretch } from '@clinical-records/core';
import { sql } from 'kysely';
import { recordColumns } from './columns.ts';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { prepare } from './statement.ts';
import { entryOf, type Term } from './term.ts';

type Span = { readonly first: number; readonly last: number };
type Said = Term & { readonly record: number; readonly from: number; readonly until: number };

/** An index entry of a record of the type. Another type in its term is put before its parameter, so that the damage shows. */
const entrySaidOf =
  (type: string) =>
  (said: Said): IndexEntry =>
    entryOf(said.type === type ? said : { ...said, parameter: `${said.type}.${said.parameter}` });

/** A stretch of the records with their index entries, all of one moment, as searches find them: so damage shows. */
export const scanning = (
  database: SqliteDatabase,
  db: QueryBuilder,
): ((since: Stretch) => readonly IndexedRecord[]) => {
  const records = prepare<Stretch, Omit<IndexedRecord, 'index'> & { readonly readable: number }>(
    database,
    (given) =>
      db
        .selectFrom('records')
        .select(['records.position', 'records.readable', ...recordColumns])
        .where('records.position', '>', given.of('position'))
        .orderBy('records.position')
        .limit(given.of('limit')),
  );

  const terms = ['terms.type', 'terms.kind', 'terms.parameter', 'terms.system', 'terms.code'] as const;
  const said = prepare<Span, Said>(database, (given) =>
    db
      .selectFrom('entries')
      .innerJoin('terms', 'terms.term', 'entries.term')
      .select(['entries.record', ...terms])
      .select([sql<number>`0`.as('from'), sql<number>`0`.as('until')])
      .where('entries.record', '>=', given.of('first'))
      .where('entries.record', '<=', given.of('last'))
      .unionAll(
        db
          .selectFrom('dates')
          .innerJoin('terms', 'terms.term', 'dates.term')
          .select(['dates.record', ...terms, 'dates.from', 'dates.until'])
          .where('dates.record', '>=', given.of('first'))
          .where('dates.record', '<=', given.of('last')),
      ),
  );

  return database.transaction((since: Stretch): readonly IndexedRecord[] => {
    const found = endPage(records.each(since), since);
    const [first, last] = [found[0]?.position ?? 0, found.at(-1)?.position ?? 0];
    const entries = Map.groupBy(said.all({ first, last }), ({ record }) => record);
    return found.map(({ readable, ...record }) => ({
      ...record,
      resource: readable === 1 ? record.resource : null,
      index: (entries.get(record.position) ?? []).map(entrySaidOf(record.type)),
    }));
  });
};
