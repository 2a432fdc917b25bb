import {
  endPage,
  type FeedEntry,
  type RecordRef,
  type StoredRecord,
  type StoredResource,
  type Stretch,
} from '@clinical-records/core';
import { sql } from 'kysely';
import { recordColumns, recordFeedColumns, supersededColumns, supersededFeedColumns } from './columns.ts';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { type Given, prepare } from './statement.ts';

/** What is read without a search: one record, its versions, and the feed of all versions. */
export type Reading = {
  readonly current: (ref: RecordRef) => StoredRecord | null;
  readonly resource: (ref: RecordRef) => StoredResource | null;
  readonly history: (ref: RecordRef) => readonly StoredRecord[];
  readonly changesSince: (since: Stretch) => readonly FeedEntry[];
};

export const reading = (database: SqliteDatabase, db: QueryBuilder): Reading => {
  const past = db.selectFrom('superseded').innerJoin('records', 'records.position', 'superseded.record');

  const current = prepare<RecordRef, StoredRecord>(database, (given) =>
    db
      .selectFrom('records')
      .select(recordColumns)
      .where('records.type', '=', given.of('type'))
      .where('records.id', '=', given.of('id')),
  );

  const resource = prepare<RecordRef, StoredResource>(database, (given) =>
    db
      .selectFrom('records')
      .select(['patient_id as patientId', 'version', 'at', 'resource'])
      .$narrowType<{ resource: string }>()
      .where('type', '=', given.of('type'))
      .where('id', '=', given.of('id'))
      .where('readable', '=', sql.lit(1)),
  );

  const superseded = prepare<RecordRef, StoredRecord>(database, (given) =>
    past
      .select(supersededColumns)
      .where('records.type', '=', given.of('type'))
      .where('records.id', '=', given.of('id'))
      .orderBy('superseded.version', 'desc'),
  );

  /** Each is the place of a version, superseded or not: so no more of them than a page holds have to be looked at. */
  const createdSince = (given: Given<Stretch>) =>
    db
      .selectFrom('records as created')
      .select('created.position')
      .where('created.position', '>', given.of('position'))
      .orderBy('created.position')
      .limit(given.of('limit'));

  const changes = prepare<Stretch, FeedEntry>(database, (given) =>
    past
      .select(['superseded.position', ...supersededFeedColumns])
      .where('superseded.position', '>', given.of('position'))
      .unionAll(
        db
          .selectFrom('records')
          .select(['records.position', ...recordFeedColumns])
          .where('records.position', 'in', createdSince(given))
          .where('records.committed', 'is', null),
      )
      .unionAll(
        db
          .selectFrom('records')
          .select(['records.committed as position', ...recordFeedColumns])
          .$narrowType<{ position: number }>()
          .where('records.committed', '>', given.of('position')),
      )
      .orderBy('position')
      .limit(given.of('limit')),
  );

  const changesSince = (since: Stretch) => endPage(changes.each(since), since);

  // In one transaction, lest a version be superseded between the two statements and appear in both.
  const history = database.transaction((ref: RecordRef): readonly StoredRecord[] => {
    const now = current.first(ref);
    return now === null ? [] : [now, ...superseded.all(ref)];
  });

  return { current: current.first, resource: resource.first, history, changesSince };
};
