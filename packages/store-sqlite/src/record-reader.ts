import {
  countAt,
  countedPosition,
  type FeedEnd,
  type FeedEntry,
  type FeedRange,
  type RecordRef,
  type StoredRecord,
  type StoredResource,
  type StoreError,
  takeEntries,
} from '@clinical-records/core/store';
import { type Either, right } from 'fp-ts/lib/Either.js';
import { sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';
import { createReadFeedEnd } from './feed-end.ts';
import { type Placeholders, prepareStatement } from './prepare-statement.ts';
import {
  type QueryBuilder,
  recordColumns,
  recordFeedColumns,
  supersededColumns,
  supersededFeedColumns,
} from './schema.ts';
import { unknownPosition } from './store-errors.ts';

/** Reads without a search: one record, its versions, and the feed of all versions. */
export type RecordReader = {
  readonly readCurrent: (ref: RecordRef) => StoredRecord | null;
  readonly readResource: (ref: RecordRef) => StoredResource | null;
  readonly readHistory: (ref: RecordRef) => readonly StoredRecord[];
  readonly readFeedEnd: () => FeedEnd | null;
  readonly changesSince: (range: FeedRange) => Either<StoreError, readonly FeedEntry[]>;
};

/** The position in the feed after which the versions begin, and their largest number. */
type VersionsAfter = { readonly position: number; readonly limit: number };

type FeedRow = Omit<FeedEntry, 'position'> & { readonly position: number };

export const createRecordReader = (database: SqliteDatabase, db: QueryBuilder): RecordReader => {
  const supersededVersions = db
    .selectFrom('superseded')
    .innerJoin('records', 'records.position', 'superseded.record');

  const current = prepareStatement<RecordRef, StoredRecord>(database, (placeholder) =>
    db
      .selectFrom('records')
      .select(recordColumns)
      .where('records.type', '=', placeholder.of('type'))
      .where('records.id', '=', placeholder.of('id')),
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

  const superseded = prepareStatement<RecordRef, StoredRecord>(database, (placeholder) =>
    supersededVersions
      .select(supersededColumns)
      .where('records.type', '=', placeholder.of('type'))
      .where('records.id', '=', placeholder.of('id'))
      .orderBy('superseded.version', 'desc'),
  );

  /** Each row is the position of a version, superseded or not. So only as many rows as a page has need to be read. */
  const selectCreatedSince = (placeholder: Placeholders<VersionsAfter>) =>
    db
      .selectFrom('records as created')
      .select('created.position')
      .where('created.position', '>', placeholder.of('position'))
      .orderBy('created.position')
      .limit(placeholder.of('limit'));

  const changes = prepareStatement<VersionsAfter, FeedRow>(database, (placeholder) =>
    supersededVersions
      .select(['superseded.position', ...supersededFeedColumns])
      .where('superseded.position', '>', placeholder.of('position'))
      .unionAll(
        db
          .selectFrom('records')
          .select(['records.position', ...recordFeedColumns])
          .where('records.position', 'in', selectCreatedSince(placeholder))
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
  const readFeedEnd = (): FeedEnd | null => {
    const end = readEnd();
    return end && { ...end, position: countedPosition(end.position) };
  };

  const changesSince: RecordReader['changesSince'] = (range) => {
    const position = countAt(range.position);
    if (position === null) return unknownPosition;
    if (position > 0 && !stands(position, range.digest)) return unknownPosition;
    const page = takeEntries(changes.iterate({ position, limit: range.limit }), range);
    return right(page.map((row) => ({ ...row, position: countedPosition(row.position) })));
  };

  // In one transaction. Otherwise a version could be superseded between the two statements and appear in both.
  const readHistory = database.transaction((ref: RecordRef): readonly StoredRecord[] => {
    const now = current.first(ref);
    return now === null ? [] : [now, ...superseded.all(ref)];
  });

  return { readCurrent: current.first, readResource: resource.first, readHistory, readFeedEnd, changesSince };
};
