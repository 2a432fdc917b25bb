import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';

/** A place in a statement that is filled from its arguments each time it runs. */
export type Given<Args> = <T>(read: (args: Args) => T) => RawBuilder<T>;

/** A prepared statement: compiled once, run with arguments. */
export type Statement<Args, Row> = {
  readonly first: (args: Args) => Row | null;
  readonly all: (args: Args) => Row[];
  /** Answers how many rows were written. */
  readonly run: (args: Args) => number;
};

/** Prepares what `build` makes of the places it is given. */
export const prepare = <Args, Row>(
  database: SqliteDatabase,
  build: (given: Given<Args>) => Compilable<Row>,
): Statement<Args, Row> => {
  const readers = new Map<unknown, (args: Args) => unknown>();
  const given: Given<Args> = <T>(read: (args: Args) => T) => {
    const place = {};
    readers.set(place, read);
    // SQLite looks into a bare `?` for the values -1, 0 and 1, and plans the statement anew whenever it is bound.
    return sql<T>`+${place}`;
  };
  const compiled = build(given).compile();
  const inOrder = compiled.parameters.map((parameter) => readers.get(parameter) ?? (() => parameter));
  const statement = database.prepare(compiled.sql);
  const bound = (args: Args) => inOrder.map((read) => read(args));
  return {
    first: (args) => (statement.get(bound(args)) as Row | undefined) ?? null,
    all: (args) => statement.all(bound(args)) as Row[],
    run: (args) => statement.run(bound(args)).changes,
  };
};
