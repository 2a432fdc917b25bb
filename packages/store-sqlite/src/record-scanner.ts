import {
  countAt,
  countedPosition,
  type EntryRange,
  type IndexEntry,
  type IndexedRecord,
  indexEntryOf,
  type StoreError,
  type Term,
  takeEntries,
} from '@clinical-records/core/store';
import { type Either, right } from 'fp-ts/lib/Either.js';
import { sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';
import { prepareStatement } from './prepare-statement.ts';
import { type QueryBuilder, recordColumns } from './schema.ts';
import { unknownPosition } from './store-errors.ts';

/** The position after which the records were created, and their largest number. */
type RecordsAfter = { readonly position: number; readonly limit: number };
type RecordRow = Omit<IndexedRecord, 'index' | 'position'> & {
  readonly position: number;
  readonly readable: number;
};
type RecordSpan = { readonly first: number; readonly last: number };
type IndexEntryRow = Term & { readonly record: number; readonly from: number; readonly until: number };

/**
 * An index entry of a record of the type. If its term has another type, that type is put before the parameter, so that
 * the damage shows.
 */
const toIndexEntry =
  (type: string) =>
  (row: IndexEntryRow): IndexEntry =>
    indexEntryOf(row.type === type ? row : { ...row, parameter: `${row.type}.${row.parameter}` }, row);

/**
 * Reads a range of records with their index entries, all of one moment. The entries are those that searches use, so
 * that damage shows.
 */
export const createRecordScanner = (
  database: SqliteDatabase,
  db: QueryBuilder,
): ((range: EntryRange) => Either<StoreError, readonly IndexedRecord[]>) => {
  const records = prepareStatement<RecordsAfter, RecordRow>(database, (placeholder) =>
    db
      .selectFrom('records')
      .select(['records.position', 'records.readable', ...recordColumns])
      .where('records.position', '>', placeholder.of('position'))
      .orderBy('records.position')
      .limit(placeholder.of('limit')),
  );

  const stands = (position: number): boolean =>
    records.first({ position: position - 1, limit: 1 })?.position === position;

  const terms = ['terms.type', 'terms.kind', 'terms.parameter', 'terms.system', 'terms.code'] as const;
  const indexEntryRows = prepareStatement<RecordSpan, IndexEntryRow>(database, (placeholder) =>
    db
      .selectFrom('entries')
      .innerJoin('terms', 'terms.term', 'entries.term')
      .select(['entries.record', ...terms])
      .select([sql<number>`0`.as('from'), sql<number>`0`.as('until')])
      .where('entries.record', '>=', placeholder.of('first'))
      .where('entries.record', '<=', placeholder.of('last'))
      .unionAll(
        db
          .selectFrom('dates')
          .innerJoin('terms', 'terms.term', 'dates.term')
          .select(['dates.record', ...terms, 'dates.from', 'dates.until'])
          .where('dates.record', '>=', placeholder.of('first'))
          .where('dates.record', '<=', placeholder.of('last')),
      ),
  );

  return database.transaction((range: EntryRange): Either<StoreError, readonly IndexedRecord[]> => {
    const position = countAt(range.position);
    if (position === null) return unknownPosition;
    if (position > 0 && !stands(position)) return unknownPosition;
    const page = takeEntries(records.iterate({ position, limit: range.limit }), range);
    const [first, last] = [page[0]?.position ?? 0, page.at(-1)?.position ?? 0];
    const entries = Map.groupBy(indexEntryRows.all({ first, last }), ({ record }) => record);
    return right(
      page.map(({ readable, ...record }) => ({
        ...record,
        position: countedPosition(record.position),
        resource: readable === 1 ? record.resource : null,
        index: (entries.get(record.position) ?? []).map(toIndexEntry(record.type)),
      })),
    );
  });
};
