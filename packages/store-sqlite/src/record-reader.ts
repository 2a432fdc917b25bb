import {
  countAt,
  countedPosition,
  type EntryRange,
  type FeedEnd,
  type FeedEntry,
  type FeedRange,
  type HistoryRange,
  type IndexEntry,
  type IndexedRecord,
  indexEntryOf,
  type RecordRef,
  type StoredRecord,
  type StoredResource,
  type StoredVersion,
  type StoreError,
  type Term,
  takeEntries,
  unknownPositionError,
  type VersionRef,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { type Expression, type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';
import {
  historyColumns,
  type QueryBuilder,
  recordColumns,
  recordFeedColumns,
  supersededColumns,
  supersededFeedColumns,
} from './schema.ts';
import { createReadTransaction, type Placeholders, prepareStatement } from './statement.ts';

/**
 * The position up to which all records are counted. It is the largest of all rows, because the row of a type without
 * new records is older.
 */
export const selectCountedPosition = (db: QueryBuilder) =>
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

/** Reads without a search: one record, its versions, and the feed of all versions. */
type RecordReader = {
  readonly readCurrent: (ref: RecordRef) => StoredRecord | null;
  /** The same for several records, which costs less than reading each. */
  readonly readCurrentOf: (refs: readonly RecordRef[]) => readonly (StoredRecord | null)[];
  readonly readResource: (ref: RecordRef) => StoredResource | null;
  readonly readVersion: (ref: VersionRef) => StoredRecord | null;
  readonly readHistory: (range: HistoryRange) => readonly StoredVersion[];
  readonly readFeedEnd: () => FeedEnd | null;
  readonly changesSince: (range: FeedRange) => Either<StoreError, readonly FeedEntry[]>;
};

/** The position in the feed after which the versions begin, and their largest number. */
type VersionsAfter = { readonly position: number; readonly limit: number };

/** From this number on, records of a type are looked up with a list. SQLite has to parse it, which costs as much as two lookups. */
const fewestListed = 4;

/** Ids of a type, as a JSON list. */
type IdsOfType = { readonly type: string; readonly ids: string };

type FeedRow = Omit<FeedEntry, 'position'> & { readonly position: number };

const selectSuperseded = (db: QueryBuilder) =>
  db.selectFrom('superseded').innerJoin('records', 'records.position', 'superseded.record');

const createCurrentReads = (
  database: SqliteDatabase,
  db: QueryBuilder,
): Pick<RecordReader, 'readCurrent' | 'readCurrentOf' | 'readResource'> => {
  const current = prepareStatement<RecordRef, StoredRecord>(database, (placeholder) =>
    db
      .selectFrom('records')
      .select(recordColumns)
      .where('records.type', '=', placeholder.of('type'))
      .where('records.id', '=', placeholder.of('id')),
  );

  const listed = prepareStatement<IdsOfType, StoredRecord>(database, (placeholder) =>
    db
      .selectFrom(sql<{ value: string }>`json_each(${placeholder.of('ids')})`.as('requested'))
      // Keeps SQLite from looking up each record in the list.
      .crossJoin('records')
      .select(recordColumns)
      .where('records.type', '=', placeholder.of('type'))
      .whereRef('records.id', '=', 'requested.value'),
  );

  const resource = prepareStatement<RecordRef, StoredResource>(database, (placeholder) =>
    db
      .selectFrom('records')
      .select(['patient_id as patientId', 'version', 'at', 'resource'])
      .$narrowType<{ resource: string }>()
      .where('type', '=', placeholder.of('type'))
      .where('id', '=', placeholder.of('id'))
      .where('readable', '=', sql.lit(1)),
  );

  return {
    readCurrent: current.first,
    readCurrentOf: (refs) => {
      const records: (StoredRecord | null)[] = refs.map(() => null);
      for (const [type, ofType] of Map.groupBy(refs.entries(), ([, ref]) => ref.type)) {
        if (ofType.length < fewestListed) {
          for (const [place, ref] of ofType) records[place] = current.first(ref);
        } else {
          const ids = JSON.stringify(ofType.map(([, { id }]) => id));
          const found = new Map(listed.all({ type, ids }).map((record) => [record.id, record]));
          for (const [place, { id }] of ofType) records[place] = found.get(id) ?? null;
        }
      }
      return records;
    },
    readResource: resource.first,
  };
};

/** Where the length of a text is enough, SQLite does not read the text. */
const selectBytes = (table: 'records' | 'superseded') =>
  sql<number | null>`octet_length(${sql.ref(`${table}.resource`)})`.as('bytes');

const createVersionReads = (
  database: SqliteDatabase,
  db: QueryBuilder,
): Pick<RecordReader, 'readVersion' | 'readHistory'> => {
  const version = prepareStatement<VersionRef, StoredRecord>(database, (placeholder) =>
    db
      .selectFrom('records')
      .select(recordColumns)
      .where('records.type', '=', placeholder.of('type'))
      .where('records.id', '=', placeholder.of('id'))
      .where('records.version', '=', placeholder.of('version'))
      .unionAll(
        selectSuperseded(db)
          .select(supersededColumns)
          .where('records.type', '=', placeholder.of('type'))
          .where('records.id', '=', placeholder.of('id'))
          .where('superseded.version', '=', placeholder.of('version')),
      ),
  );

  const history = prepareStatement<Required<HistoryRange>, StoredVersion>(database, (placeholder) =>
    db
      .selectFrom('records')
      .select(historyColumns('records'))
      .select(selectBytes('records'))
      .where('records.type', '=', placeholder.of('type'))
      .where('records.id', '=', placeholder.of('id'))
      .where('records.version', '<', placeholder.of('before'))
      .unionAll(
        selectSuperseded(db)
          .select(historyColumns('superseded'))
          .select(selectBytes('superseded'))
          .where('records.type', '=', placeholder.of('type'))
          .where('records.id', '=', placeholder.of('id'))
          .where('superseded.version', '<', placeholder.of('before')),
      )
      .orderBy('version', 'desc')
      .limit(placeholder.of('limit')),
  );

  return {
    readVersion: version.first,
    readHistory: ({ before = Number.MAX_SAFE_INTEGER, ...range }) => history.all({ ...range, before }),
  };
};

/** Each row is the position of a version, superseded or not. So only as many rows as a page has need to be read. */
const selectCreatedSince = (db: QueryBuilder, placeholder: Placeholders<VersionsAfter>) =>
  db
    .selectFrom('records as created')
    .select('created.position')
    .where('created.position', '>', placeholder.of('position'))
    .orderBy('created.position')
    .limit(placeholder.of('limit'));

const createFeedReads = (
  database: SqliteDatabase,
  db: QueryBuilder,
): Pick<RecordReader, 'readFeedEnd' | 'changesSince'> => {
  const changes = prepareStatement<VersionsAfter, FeedRow>(database, (placeholder) =>
    selectSuperseded(db)
      .select(['superseded.position', ...supersededFeedColumns])
      .where('superseded.position', '>', placeholder.of('position'))
      .unionAll(
        db
          .selectFrom('records')
          .select(['records.position', ...recordFeedColumns])
          .where('records.position', 'in', selectCreatedSince(db, placeholder))
          .where('records.committed', 'is', null),
      )
      .unionAll(
        db
          .selectFrom('records')
          .select(['records.committed as position', ...recordFeedColumns])
          .$narrowType<{ position: number }>()
          .where('records.committed', '>', placeholder.of('position')),
      )
      .orderBy('position')
      .limit(placeholder.of('limit')),
  );

  const stands = (position: number, digest: string | undefined): boolean => {
    const [entry] = changes.all({ position: position - 1, limit: 1 });
    return entry?.position === position && (digest === undefined || digest === entry.digest);
  };

  const readEnd = createReadFeedEnd(database, db);

  return {
    readFeedEnd: () => {
      const end = readEnd();
      return end && { ...end, position: countedPosition(end.position) };
    },
    changesSince: (range) => {
      const position = countAt(range.position);
      if (position === null) return left(unknownPositionError);
      if (position > 0 && !stands(position, range.digest)) return left(unknownPositionError);
      const page = takeEntries(changes.iterate({ position, limit: range.limit }), range);
      return right(page.map((row) => ({ ...row, position: countedPosition(row.position) })));
    },
  };
};

export const createRecordReader = (database: SqliteDatabase, db: QueryBuilder): RecordReader => ({
  ...createCurrentReads(database, db),
  ...createVersionReads(database, db),
  ...createFeedReads(database, db),
});

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

/** The position after which the records were created, and their largest number. */
type RecordsAfter = { readonly position: number; readonly limit: number };
type RecordRow = Omit<IndexedRecord, 'index' | 'position'> & {
  readonly position: number;
  readonly readable: number;
};
type RecordSpan = { readonly first: number; readonly last: number };
type IndexEntryRow = Term & { readonly record: number; readonly from: number; readonly until: number };

/**
 * An index entry of a record of the type. If its term has another type, or an interval although it is not a date, that is
 * put before the parameter, so that the damage shows.
 */
const toIndexEntry =
  (type: string) =>
  (row: IndexEntryRow): IndexEntry => {
    const hasInterval = row.from !== 0 || row.until !== 0;
    const damages = [
      ...(row.type === type ? [] : [row.type]),
      ...(hasInterval && row.kind !== 'date' ? [`${row.from}-${row.until}`] : []),
    ];
    return indexEntryOf({ ...row, parameter: [...damages, row.parameter].join('.') }, row);
  };

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
      .select(['entries.record', ...terms, 'entries.from', 'entries.until'])
      .where('entries.record', '>=', placeholder.of('first'))
      .where('entries.record', '<=', placeholder.of('last')),
  );

  return createReadTransaction(
    database,
    (range: EntryRange): Either<StoreError, readonly IndexedRecord[]> => {
      const position = countAt(range.position);
      if (position === null) return left(unknownPositionError);
      if (position > 0 && !stands(position)) return left(unknownPositionError);
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
    },
  );
};
