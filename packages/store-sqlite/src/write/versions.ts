import type { Change, RecordRef } from '@clinical-records/core';
import { versionColumns } from '../columns.ts';
import { counts } from '../counts.ts';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { type Given, prepare } from '../statement.ts';
import { feedHead, type Place } from './feed-head.ts';

/** Where a record stands: its place in the order of creation, its version, and whether there is a resource. */
export type Standing = {
  readonly position: number;
  readonly version: number;
  readonly readable: number;
};

/** A version that was written, and the place of its record. */
type Written = Pick<Standing, 'position' | 'version'>;

/** The versions of records as they are written. */
export type Versions = {
  readonly standing: (ref: RecordRef) => Standing | null;
  readonly first: (change: Change) => Written;
  /** Throws where the record does not stand there any longer. */
  readonly next: (change: Change, before: Standing) => Written;
  /** Must be called as a write transaction begins, and where what was written may be undone. */
  readonly forget: () => void;
};

type First = Change & Place;
type Next = First & { readonly before: Standing };

export const versions = (database: SqliteDatabase, db: QueryBuilder): Versions => {
  const { append, forget } = feedHead(database, db);

  const written = <Args extends First>(given: Given<Args>) => ({
    readable: given.from(({ resource }) => (resource === null ? 0 : 1)),
    patient_id: given.of('patientId'),
    at: given.of('at'),
    by: given.of('by'),
    state: given.of('state'),
    resource: given.of('resource'),
    digest: given.of('digest'),
  });

  const standing = prepare<RecordRef, Standing>(database, (given) =>
    db
      .selectFrom('records')
      .select(['position', 'version', 'readable'])
      .where('type', '=', given.of('type'))
      .where('id', '=', given.of('id')),
  );
  const create = prepare<First>(database, (given) =>
    db.insertInto('records').values({
      position: given.of('position'),
      type: given.of('type'),
      id: given.of('id'),
      version: 1,
      ...written(given),
    }),
  );
  const supersede = prepare<Standing>(database, (given) =>
    db
      .insertInto('superseded')
      .columns(['position', 'record', ...versionColumns])
      .expression(
        db
          .selectFrom('records')
          .select(({ fn }) => fn.coalesce('committed', 'position').as('place'))
          .select(['position', ...versionColumns])
          .where('position', '=', given.of('position')),
      ),
  );
  const replace = prepare<Next>(database, (given) =>
    db
      .updateTable('records')
      .set({
        committed: given.of('position'),
        version: given.from(({ before }) => before.version + 1),
        ...written(given),
      })
      .where(
        'position',
        '=',
        given.from(({ before }) => before.position),
      )
      .where(
        'version',
        '=',
        given.from(({ before }) => before.version),
      ),
  );

  const { created, turned } = counts(database, db);

  return {
    standing: standing.first,
    first: (change) => {
      const { changes, rowid } = create.run({ ...change, ...append(change, 1) });
      if (changes !== 1) throw new Error('A new record was not written.');
      created(rowid);
      return { position: rowid, version: 1 };
    },
    next: (change, before) => {
      supersede.run(before);
      if (replace.run({ ...change, ...append(change, before.version + 1), before }).changes !== 1)
        throw new Error('A commit names a record twice, or its record was not written.');
      const { position, version, readable } = before;
      const isReadable = change.resource !== null;
      if (isReadable !== (readable === 1)) turned({ type: change.type, position, by: isReadable ? 1 : -1 });
      return { position, version: version + 1 };
    },
    forget,
  };
};
