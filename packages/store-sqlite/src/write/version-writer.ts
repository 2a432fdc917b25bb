import { hash } from 'node:crypto';
import {
  computeDigest,
  countedPosition,
  type RecordChange,
  type RecordRef,
} from '@clinical-records/core/store';
import { sql } from 'kysely';
import type { SqliteDatabase } from '../database.ts';
import { createReadFeedEnd, type FeedPlace, selectCountedPosition } from '../record-reader.ts';
import { type QueryBuilder, versionColumns } from '../schema.ts';
import { type Placeholders, prepareStatement } from '../statement.ts';

/**
 * After this many positions, the newest records are counted. Until then searches count them, which costs less than a
 * write for each.
 */
const maxUncounted = 256;

type ReadabilityChange = { readonly type: string; readonly position: number; readonly by: 1 | -1 };

/** Counts the records that have a resource. */
type RecordCounts = {
  /** Must be called with the position of each new record. */
  readonly onCreated: (position: number) => void;
  /** Must be called for an older record that gets a resource (`by` is 1) or loses it (-1). */
  readonly onReadabilityChange: (record: ReadabilityChange) => void;
};

const createRecordCounts = (database: SqliteDatabase, db: QueryBuilder): RecordCounts => {
  const insert = db
    .insertInto('counts')
    .columns(['type', 'readable', 'counted'])
    .onConflict((conflict) =>
      conflict.column('type').doUpdateSet(({ ref }) => ({
        readable: sql`${ref('counts.readable')} + ${ref('excluded.readable')}`,
        counted: sql`max(${ref('counts.counted')}, ${ref('excluded.counted')})`,
      })),
    );

  const countNewest = prepareStatement<{ readonly position: number }>(database, (placeholder) =>
    insert.expression(
      db
        .selectFrom('records')
        .select(({ fn }) => [
          'type',
          fn.sum<number>('readable').as('readable'),
          placeholder.of('position').as('counted'),
        ])
        .where('position', '>', selectCountedPosition(db))
        .groupBy('type'),
    ),
  );

  const turn = prepareStatement<ReadabilityChange>(database, (placeholder) =>
    insert.expression(
      db
        .selectNoFrom([
          placeholder.of('type').as('type'),
          placeholder.from(({ by }): number => by).as('readable'),
          sql.lit(0).as('counted'),
        ])
        .where(placeholder.of('position'), '<=', selectCountedPosition(db)),
    ),
  );

  let lastCounted = 0;
  return {
    onCreated: (position) => {
      // The position is far below the last counted one if many writes were rolled back.
      if (Math.abs(position - lastCounted) < maxUncounted) return;
      countNewest.run({ position });
      lastCounted = position;
    },
    onReadabilityChange: turn.run,
  };
};

/**
 * The current version of a record: its position in the order of creation, its version, and whether it has a resource.
 */
export type CurrentVersion = {
  readonly position: number;
  readonly version: number;
  readonly readable: number;
};

/** A written version, and the position of its record. */
type WrittenVersion = Pick<CurrentVersion, 'position' | 'version'>;

type VersionWriter = {
  readonly findCurrent: (ref: RecordRef) => CurrentVersion | null;
  readonly writeFirst: (change: RecordChange) => WrittenVersion;
  /** Throws if the record no longer has the version before. */
  readonly writeNext: (change: RecordChange, before: CurrentVersion) => WrittenVersion;
  /** Must be called when a write transaction begins, and if writes may be rolled back. */
  readonly forget: () => void;
};

type FirstVersion = RecordChange & FeedPlace;
type NextVersion = FirstVersion & { readonly before: CurrentVersion };
type PriorState = { readonly record: number; readonly version: number; readonly state: string };

const versionValues = <Args extends FirstVersion>(placeholder: Placeholders<Args>) => ({
  readable: placeholder.from(({ resource }) => (resource === null ? 0 : 1)),
  patient_id: placeholder.of('patientId'),
  at: placeholder.of('at'),
  by: placeholder.of('by'),
  state: placeholder.of('state'),
  resource: placeholder.of('resource'),
  digest: placeholder.of('digest'),
});

const prepareVersionStatements = (database: SqliteDatabase, db: QueryBuilder) => {
  const current = prepareStatement<RecordRef, CurrentVersion>(database, (placeholder) =>
    db
      .selectFrom('records')
      .select(['position', 'version', 'readable'])
      .where('type', '=', placeholder.of('type'))
      .where('id', '=', placeholder.of('id')),
  );
  const create = prepareStatement<FirstVersion>(database, (placeholder) =>
    db.insertInto('records').values({
      position: placeholder.of('position'),
      type: placeholder.of('type'),
      id: placeholder.of('id'),
      version: 1,
      ...versionValues(placeholder),
    }),
  );
  const supersede = prepareStatement<CurrentVersion>(database, (placeholder) =>
    db
      .insertInto('superseded')
      .columns(['position', 'record', ...versionColumns])
      .expression(
        db
          .selectFrom('records')
          .select(({ fn }) => fn.coalesce('committed', 'position').as('place'))
          .select(['position', ...versionColumns])
          .where('position', '=', placeholder.of('position')),
      ),
  );
  const replace = prepareStatement<NextVersion>(database, (placeholder) =>
    db
      .updateTable('records')
      .set({
        committed: placeholder.of('position'),
        version: placeholder.from(({ before }) => before.version + 1),
        ...versionValues(placeholder),
      })
      .where(
        'position',
        '=',
        placeholder.from(({ before }) => before.position),
      )
      .where(
        'version',
        '=',
        placeholder.from(({ before }) => before.version),
      ),
  );

  const replaceState = prepareStatement<PriorState>(database, (placeholder) =>
    db
      .updateTable('superseded')
      .set({ state: placeholder.of('state'), resource: null })
      .where('record', '=', placeholder.of('record'))
      .where('version', '=', placeholder.of('version')),
  );

  return { current, create, supersede, replace, replaceState };
};

export const createVersionWriter = (database: SqliteDatabase, db: QueryBuilder): VersionWriter => {
  const { append, forget } = createFeedHead(database, db);
  const { current, create, supersede, replace, replaceState } = prepareVersionStatements(database, db);
  const { onCreated, onReadabilityChange } = createRecordCounts(database, db);

  return {
    findCurrent: current.first,
    writeFirst: (change) => {
      const { changes, rowid } = create.run({ ...change, ...append(change, 1) });
      if (changes !== 1) throw new Error('A new record was not written.');
      onCreated(rowid);
      return { position: rowid, version: 1 };
    },
    writeNext: (change, before) => {
      supersede.run(before);
      if (replace.run({ ...change, ...append(change, before.version + 1), before }).changes !== 1)
        throw new Error('A commit names a record twice, or its record was not written.');
      const { position, version, readable } = before;
      for (const [index, state] of (change.priorStates ?? []).entries()) {
        replaceState.run({ record: position, version: index + 1, state });
      }
      const isReadable = change.resource !== null;
      if (isReadable !== (readable === 1))
        onReadabilityChange({ type: change.type, position, by: isReadable ? 1 : -1 });
      return { position, version: version + 1 };
    },
    forget,
  };
};

type FeedHead = {
  /** Returns the position of the next version, and its digest. */
  readonly append: (change: RecordChange, version: number) => FeedPlace;
  /** Must be called if others may have written since, or if writes may be rolled back. The end is then read again. */
  readonly forget: () => void;
};

const sha256 = (text: string): string => hash('sha256', text);

const feedStart: FeedPlace = { position: 0, digest: '' };

/** Nothing else appends within a write transaction. So the end of the feed is read once, and then kept in memory. */
const createFeedHead = (database: SqliteDatabase, db: QueryBuilder): FeedHead => {
  const readFeedEnd = createReadFeedEnd(database, db);
  let head: FeedPlace | null = null;
  return {
    append: (change, version) => {
      const { position, digest } = head ?? readFeedEnd() ?? feedStart;
      const next = position + 1;
      const entry = { ...change, version, position: countedPosition(next) };
      head = { position: next, digest: computeDigest(sha256, digest, entry) };
      return head;
    },
    forget: () => {
      head = null;
    },
  };
};
