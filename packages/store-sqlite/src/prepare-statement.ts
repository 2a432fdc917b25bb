import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';

/** Makes places in a statement that are filled from its arguments each time it runs. */
export type Placeholders<Args> = {
  readonly of: <Key extends keyof Args>(key: Key) => RawBuilder<Args[Key]>;
  readonly from: <T>(read: (args: Args) => T) => RawBuilder<T>;
};

/** A prepared statement: compiled once, run with arguments. */
export type Statement<Args, Row = object> = {
  readonly first: (args: Args) => Row | null;
  readonly all: (args: Args) => Row[];
  /** The rows as they are asked for: nothing else may be done with the database before the last, or before the loop is left. */
  readonly iterate: (args: Args) => Iterable<Row>;
  /** Answers how many rows were written, and which was inserted last. */
  readonly run: (args: Args) => { readonly changes: number; readonly rowid: number };
};

/** Prepares what `build` makes of the places it is given. */
export const prepareStatement = <Args, Row = object>(
  database: SqliteDatabase,
  build: (placeholder: Placeholders<Args>) => Compilable<Row>,
): Statement<Args, Row> => {
  const readers = new Map<unknown, (args: Args) => unknown>();
  const from = <T>(read: (args: Args) => T) => {
    const marker = {};
    readers.set(marker, read);
    // SQLite looks into a bare `?` for the values -1, 0 and 1, and plans the statement anew whenever it is bound.
    return sql<T>`+${marker}`;
  };
  const compiled = build({ from, of: (key) => from((args) => args[key]) }).compile();
  const argumentReaders = compiled.parameters.map((parameter) => readers.get(parameter) ?? (() => parameter));
  const statement = database.prepare(compiled.sql);
  statement.safeIntegers(false);
  const bind = (args: Args) => argumentReaders.map((read) => read(args));
  return {
    first: (args) => (statement.get(...bind(args)) as Row | undefined) ?? null,
    all: (args) => statement.all(...bind(args)) as Row[],
    // Begins with the first row that is asked for: an iteration that is never begun would never be over.
    *iterate(args) {
      yield* statement.iterate(...bind(args)) as Iterable<Row>;
    },
    run: (args) => {
      const { changes, lastInsertRowid } = statement.run(...bind(args));
      return { changes, rowid: Number(lastInsertRowid) };
    },
  };
};
