import {
  endOfWords,
  type IndexedParameters,
  type Term,
  type TokenCriterion,
} from '@clinical-records/core/store';
import { type Compilable, type RawBuilder, sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './schema.ts';

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

/**
 * A statement of the query that `build` returns for its placeholders. It is built and prepared when it first runs, so
 * that a store opens at once, and a clinic that never erases has no statement for it.
 */
export const prepareStatement = <Args, Row = object>(
  database: SqliteDatabase,
  build: (placeholder: Placeholders<Args>) => Compilable<Row>,
): Statement<Args, Row> => {
  const prepare = () => {
    const keys = new Map<unknown, keyof Args>();
    const readers = new Map<unknown, (args: Args) => unknown>();
    // SQLite checks a bare `?` for the values -1, 0 and 1, and plans the statement again whenever it is bound.
    const mark = <T, A>(marks: Map<unknown, A>, value: A) => {
      const marker = {};
      marks.set(marker, value);
      return sql<T>`+${marker}`;
    };
    const compiled = build({
      from: (read) => mark(readers, read),
      of: (key) => mark(keys, key),
    }).compile();
    const parameters = compiled.parameters.map((constant) => ({
      constant,
      key: keys.get(constant),
      read: readers.get(constant),
    }));
    const statement = database.prepare(compiled.sql);
    statement.safeIntegers(false);
    const bind = (args: Args): unknown[] => {
      const values: unknown[] = [];
      for (const { key, read, constant } of parameters)
        values.push(key === undefined ? (read === undefined ? constant : read(args)) : args[key]);
      return values;
    };
    return { statement, bind };
  };
  let prepared: ReturnType<typeof prepare> | null = null;
  return {
    first: (args) => {
      prepared ??= prepare();
      return (prepared.statement.get(...prepared.bind(args)) as Row | undefined) ?? null;
    },
    all: (args) => {
      prepared ??= prepare();
      return prepared.statement.all(...prepared.bind(args)) as Row[];
    },
    // Begins with the first row that is read, because an iteration that never begins would never end.
    *iterate(args) {
      prepared ??= prepare();
      yield* prepared.statement.iterate(...prepared.bind(args)) as Iterable<Row>;
    },
    run: (args) => {
      prepared ??= prepare();
      const { changes, lastInsertRowid } = prepared.statement.run(...prepared.bind(args));
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

/** The parameter of a type whose tokens or words are searched. */
type ParameterRef = { readonly type: string; readonly parameter: string };

/** The numbers by which entries refer to their terms. The number of a term never changes while an entry refers to it. */
export type TermDictionary = {
  readonly find: (term: Term) => number | null;
  /**
   * The terms that match any of some criteria, which may leave out the system or the code; null if there are more than
   * the most.
   */
  readonly findMatching: (
    parameter: ParameterRef,
    criteria: readonly TokenCriterion[],
  ) => readonly number[] | null;
  /** The words that begin with any of some texts; null if there are too many. */
  readonly findWords: (parameter: ParameterRef, beginnings: readonly string[]) => readonly number[] | null;
  /** Returns the number of a term, and keeps it in memory. */
  readonly findOrAdd: (term: Term) => number;
  /** Deletes the terms that no entry refers to. */
  readonly deleteUnused: () => void;
  /** Must be called if terms may have been added that are not committed, or others may have deleted some. */
  readonly forget: () => void;
};

const maxCachedTerms = 4096;

/** The most terms that are listed. A longer list would cost more than checking the terms of a record. */
const maxMatchingTerms = 1000;

type TermRow = { readonly term: number };

const prepareTermStatements = (database: SqliteDatabase, db: QueryBuilder) => {
  const numbers = db.selectFrom('terms').select('term');
  // Written literally, or SQLite would not use the partial index of tokens.
  const tokens = numbers.where('kind', '=', sql.lit('token'));

  const exact = prepareStatement<Term, TermRow>(database, (placeholder) =>
    numbers
      .where('code', '=', placeholder.of('code'))
      .where('parameter', '=', placeholder.of('parameter'))
      .where('type', '=', placeholder.of('type'))
      .where('kind', '=', placeholder.of('kind'))
      .where('system', '=', placeholder.of('system')),
  );
  const tokensOf = (placeholder: Placeholders<ParameterRef>) =>
    tokens
      .where('parameter', '=', placeholder.of('parameter'))
      .where('type', '=', placeholder.of('type'))
      // Also written literally, because SQLite would plan the statement again for each value of a placeholder.
      .limit(sql.lit(maxMatchingTerms + 1));
  const all = prepareStatement<ParameterRef, TermRow>(database, tokensOf);
  const ofCode = prepareStatement<ParameterRef & { readonly code: string }, TermRow>(
    database,
    (placeholder) => tokensOf(placeholder).where('code', '=', placeholder.of('code')),
  );
  const ofCodes = prepareStatement<ParameterRef & { readonly codes: string }, TermRow>(
    database,
    (placeholder) =>
      tokensOf(placeholder).where(
        'code',
        'in',
        sql<string>`(select value from json_each(${placeholder.of('codes')}))`,
      ),
  );
  const ofSystem = prepareStatement<ParameterRef & { readonly system: string }, TermRow>(
    database,
    (placeholder) => tokensOf(placeholder).where('system', '=', placeholder.of('system')),
  );
  const ofWords = prepareStatement<ParameterRef & { readonly from: string; readonly until: string }, TermRow>(
    database,
    (placeholder) =>
      numbers
        // Written literally, like the limit, for the same reasons.
        .where('kind', '=', sql.lit('string'))
        .where('parameter', '=', placeholder.of('parameter'))
        .where('type', '=', placeholder.of('type'))
        .where('code', '>=', placeholder.of('from'))
        .where('code', '<', placeholder.of('until'))
        .limit(sql.lit(maxMatchingTerms + 1)),
  );
  const add = prepareStatement<Term>(database, (placeholder) =>
    db
      .insertInto('terms')
      .values({
        kind: placeholder.of('kind'),
        type: placeholder.of('type'),
        parameter: placeholder.of('parameter'),
        system: placeholder.of('system'),
        code: placeholder.of('code'),
      })
      .onConflict((conflict) => conflict.doNothing()),
  );
  const deleteUnused = prepareStatement<null>(database, () =>
    db
      .deleteFrom('terms')
      .where(({ not, exists, selectFrom }) =>
        not(exists(selectFrom('entries').select('record').whereRef('entries.term', '=', 'terms.term'))),
      ),
  );
  return { exact, all, ofCode, ofCodes, ofSystem, ofWords, add, deleteUnused };
};

/** A text that no other term has. The lengths show where each of its texts ends. */
const keyOf = ({ kind, type, parameter, system, code }: Term): string =>
  `${kind} ${type.length} ${parameter.length} ${system.length} ${type}${parameter}${system}${code}`;

/** The terms of rows, each once; null if there are too many. */
const listTerms = (rows: readonly TermRow[]): readonly number[] | null => {
  const terms = new Set(rows.map(({ term }) => term));
  return terms.size > maxMatchingTerms ? null : [...terms];
};

export const createTermDictionary = (database: SqliteDatabase, db: QueryBuilder): TermDictionary => {
  const statements = prepareTermStatements(database, db);
  const { exact, all, ofCode, ofCodes, ofSystem, ofWords, add } = statements;
  const cache = createBoundedCache<number>(maxCachedTerms);

  const find = (term: Term): number | null => exact.first(term)?.term ?? null;

  /** Most terms that are not in memory are new, such as identifiers, so it is first tried to add one. */
  const addOrFind = (term: Term): number => {
    const { changes, rowid } = add.run(term);
    return changes === 1 ? rowid : (find(term) as number);
  };

  const rowsMatching = (parameter: ParameterRef, { system, code }: TokenCriterion): readonly TermRow[] => {
    if (system === null) return code === null ? all.all(parameter) : [];
    if (code === null) return ofSystem.all({ ...parameter, system });
    return exact.all({ ...parameter, kind: 'token', system, code });
  };

  const findMatching = (
    parameter: ParameterRef,
    criteria: readonly TokenCriterion[],
  ): readonly number[] | null => {
    const codes = criteria.flatMap(({ system, code }) => (system === null && code !== null ? [code] : []));
    const [code] = codes;
    // Parsing a list costs more than looking up one code.
    const byCodes = () => ofCodes.all({ ...parameter, codes: JSON.stringify(codes) });
    const byCode =
      code === undefined ? [] : codes.length === 1 ? ofCode.all({ ...parameter, code }) : byCodes();
    return listTerms([...byCode, ...criteria.flatMap((criterion) => rowsMatching(parameter, criterion))]);
  };

  const findWords = (parameter: ParameterRef, beginnings: readonly string[]): readonly number[] | null =>
    listTerms(beginnings.flatMap((from) => ofWords.all({ ...parameter, from, until: endOfWords(from) })));

  return {
    find,
    findMatching,
    findWords,
    findOrAdd: (term) => cache.get(keyOf(term), () => addOrFind(term)),
    deleteUnused: () => {
      statements.deleteUnused.run(null);
      cache.clear();
    },
    forget: cache.clear,
  };
};

type ParameterTexts = {
  readonly read: () => IndexedParameters;
  readonly change: (changes: IndexedParameters) => void;
};

/** How search parameters are indexed. */
export const createParameterTexts = (database: SqliteDatabase, db: QueryBuilder): ParameterTexts => {
  const select = prepareStatement<null, { readonly texts: string }>(database, () =>
    db.selectFrom('store_versions').select('indexed_parameters as texts'),
  );
  const update = prepareStatement<{ readonly texts: string }>(database, (placeholder) =>
    db.updateTable('store_versions').set({ indexed_parameters: placeholder.of('texts') }),
  );
  const read = (): IndexedParameters => JSON.parse(select.first(null)?.texts ?? '{}');
  return {
    read,
    change: (changes) => {
      update.run({ texts: JSON.stringify({ ...read(), ...changes }) });
    },
  };
};

/**
 * Returns a function that reads at one moment of the database: in the open transaction, or in one of its own. Not all
 * handles make a transaction within another a savepoint, such as libsql's.
 */
export const createReadTransaction = <A, B>(
  database: SqliteDatabase,
  read: (argument: A) => B,
): ((argument: A) => B) => {
  const inTransaction = database.transaction(read);
  return (argument) => (database.inTransaction ? read(argument) : inTransaction(argument));
};
