import type { Change, RecordRef } from '@clinical-records/core';
import { sql } from 'kysely';
import type { SqliteDatabase } from '../database.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { type Given, prepare } from '../statement.ts';

/** Where a record stands: its place in the order of creation, and its version. */
export type Standing = { readonly position: number; readonly version: number };

/** The versions of records as they are written. */
export type Versions = {
  readonly standing: (ref: RecordRef) => Standing | null;
  readonly first: (change: Change) => Standing;
  /** Throws where the record does not stand there any longer. */
  readonly next: (change: Change, before: Standing) => Standing;
};

type Next = { readonly change: Change; readonly before: Standing };

export const versions = (database: SqliteDatabase, db: QueryBuilder): Versions => {
  const nextCommit = db
    .selectFrom('records')
    .select(sql<number>`coalesce(max(${sql.ref('committed')}), 0) + 1`.as('next'));

  const written = <Args>(given: Given<Args>, changeOf: (args: Args) => Change) => ({
    committed: nextCommit,
    patient_id: given((args) => changeOf(args).patientId),
    at: given((args) => changeOf(args).at),
    by: given((args) => changeOf(args).by),
    state: given((args) => changeOf(args).state),
    resource: given((args) => changeOf(args).resource),
    readable: given((args) => (changeOf(args).resource === null ? 0 : 1)),
  });

  const standing = prepare<RecordRef, Standing>(database, (given) =>
    db
      .selectFrom('records')
      .select(['position', 'version'])
      .where(
        'type',
        '=',
        given(({ type }) => type),
      )
      .where(
        'id',
        '=',
        given(({ id }) => id),
      ),
  );
  const create = prepare<Change, Standing>(database, (given) =>
    db
      .insertInto('records')
      .values({
        type: given(({ type }) => type),
        id: given(({ id }) => id),
        version: 1,
        ...written(given, (change) => change),
      })
      .returning(['position', 'version']),
  );
  const supersede = prepare<Standing, object>(database, (given) =>
    db
      .insertInto('superseded')
      .columns(['position', 'record', 'version', 'patient_id', 'at', 'by', 'state', 'resource'])
      .expression(
        db
          .selectFrom('records')
          .select(['committed', 'position', 'version', 'patient_id', 'at', 'by', 'state', 'resource'])
          .where(
            'position',
            '=',
            given(({ position }) => position),
          )
          .where(
            'version',
            '=',
            given(({ version }) => version),
          ),
      ),
  );
  const replace = prepare<Next, Standing>(database, (given) =>
    db
      .updateTable('records')
      .set({
        version: given(({ before }) => before.version + 1),
        ...written(given, ({ change }: Next) => change),
      })
      .where(
        'position',
        '=',
        given(({ before }) => before.position),
      )
      .where(
        'version',
        '=',
        given(({ before }) => before.version),
      )
      .returning(['position', 'version']),
  );

  const orThrow = (now: Standing | null): Standing => {
    if (now === null) throw new Error('A commit names a record twice.');
    return now;
  };

  return {
    standing: standing.first,
    first: (change) => orThrow(create.first(change)),
    next: (change, before) => {
      supersede.run(before);
      return orThrow(replace.first({ change, before }));
    },
  };
};
