import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';

/** Creates placeholders in a statement, which get their values from its arguments each time it runs. */
export type Placeholders<Args> = {
  readonly of: <Key extends keyof Args>(key: Key) => RawBuilder<Args[Key]>;
  readonly from: <T>(read: (args: Args) => T) => RawBuilder<T>;
};

/** A prepared statement: compiled once, run with arguments. */
export type Statement<Args, Row = object> = {
  readonly first: (args: Args) => Row | null;
  readonly all: (args: Args) => Row[];
  /** The rows, read one by one. The database cannot be used otherwise until the loop has ended. */
  readonly iterate: (args: Args) => Iterable<Row>;
  /** Returns the number of written rows, and the rowid of the last inserted one. */
  readonly run: (args: Args) => { readonly changes: number; readonly rowid: number };
};

/** Prepares the query that `build` returns for its placeholders. */
export const prepareStatement = <Args, Row = object>(
  database: SqliteDatabase,
  build: (placeholder: Placeholders<Args>) => Compilable<Row>,
): Statement<Args, Row> => {
  const readers = new Map<unknown, (args: Args) => unknown>();
  const from = <T>(read: (args: Args) => T) => {
    const marker = {};
    readers.set(marker, read);
    // SQLite checks a bare `?` for the values -1, 0 and 1, and plans the statement again whenever it is bound.
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
    // Begins with the first row that is read, because an iteration that never begins would never end.
    *iterate(args) {
      yield* statement.iterate(...bind(args)) as Iterable<Row>;
    },
    run: (args) => {
      const { changes, lastInsertRowid } = statement.run(...bind(args));
      return { changes, rowid: Number(lastInsertRowid) };
    },
  };
};

/** Keeps created values by key. */
export type BoundedCache<A> = {
  readonly get: (key: string, make: () => A) => A;
  readonly clear: () => void;
};

/**
 * Keeps at least as many of the recently used values as its capacity, and at most twice as many.
 *
 * Values are not moved within a `Map`. A `Map` whose entries are moved is rebuilt again and again, and each old version
 * of it keeps the next one from being collected.
 */
export const createBoundedCache = <A>(capacity: number): BoundedCache<A> => {
  let recent = new Map<string, A>();
  let older = new Map<string, A>();
  const remember = (key: string, value: A): A => {
    if (recent.size === capacity) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, value);
    return value;
  };
  return {
    get: (key, make) => recent.get(key) ?? remember(key, older.get(key) ?? make()),
    clear: () => {
      recent = new Map();
      older = new Map();
    },
  };
};
