import type { TokenCriterion } from '@clinical-records/core';
import { sql } from 'kysely';
import { boundedCache } from './bounded-cache.ts';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import { type Given, prepare } from './statement.ts';
import type { Term } from './term.ts';

/** Where tokens are looked for. */
export type Parameter = { readonly type: string; readonly parameter: string };

/** The numbers by which entries name their terms. Once committed, the number of a term never changes. */
export type Terms = {
  readonly find: (term: Term) => number | null;
  /** What any of some criteria means, for they may leave the system or the code open; null where that is more than the most. */
  readonly matching: (parameter: Parameter, criteria: readonly TokenCriterion[]) => readonly number[] | null;
  /** Remembers the numbers that it answers. */
  readonly findOrAdd: (term: Term) => number;
  /** Must be called where terms may have been added that will not be committed. */
  readonly forget: () => void;
};

const rememberedTerms = 4096;

/** The most terms that are listed: a longer list would cost more than to look at the terms of a record. */
const mostMatching = 1000;

export const terms = (database: SqliteDatabase, db: QueryBuilder): Terms => {
  type Row = { readonly term: number };
  const numbers = db.selectFrom('terms').select('term');
  // Written literally, or SQLite would not use the partial index of tokens.
  const tokens = numbers.where('kind', '=', sql.lit('token'));

  const exact = prepare<Term, Row>(database, (given) =>
    numbers
      .where('code', '=', given.of('code'))
      .where('parameter', '=', given.of('parameter'))
      .where('type', '=', given.of('type'))
      .where('kind', '=', given.of('kind'))
      .where('system', '=', given.of('system')),
  );
  const tokensOf = (given: Given<Parameter>) =>
    tokens
      .where('parameter', '=', given.of('parameter'))
      .where('type', '=', given.of('type'))
      // Written literally, too: for the value of a bare place SQLite would plan the statement again each time.
      .limit(sql.lit(mostMatching + 1));
  const all = prepare<Parameter, Row>(database, tokensOf);
  const ofCode = prepare<Parameter & { readonly code: string }, Row>(database, (given) =>
    tokensOf(given).where('code', '=', given.of('code')),
  );
  const ofCodes = prepare<Parameter & { readonly codes: string }, Row>(database, (given) =>
    tokensOf(given).where('code', 'in', sql<string>`(select value from json_each(${given.of('codes')}))`),
  );
  const ofSystem = prepare<Parameter & { readonly system: string }, Row>(database, (given) =>
    tokensOf(given).where('system', '=', given.of('system')),
  );
  const add = prepare<Term>(database, (given) =>
    db.insertInto('terms').values({
      kind: given.of('kind'),
      type: given.of('type'),
      parameter: given.of('parameter'),
      system: given.of('system'),
      code: given.of('code'),
    }),
  );
  const remembered = boundedCache<number>(rememberedTerms);

  const find = (term: Term): number | null => exact.first(term)?.term ?? null;

  const rowsMatching = (parameter: Parameter, { system, code }: TokenCriterion): readonly Row[] => {
    if (system === null) return code === null ? all.all(parameter) : [];
    if (code === null) return ofSystem.all({ ...parameter, system });
    return exact.all({ ...parameter, kind: 'token', system, code });
  };

  const matching = (parameter: Parameter, criteria: readonly TokenCriterion[]): readonly number[] | null => {
    const codes = criteria.flatMap(({ system, code }) => (system === null && code !== null ? [code] : []));
    const [code] = codes;
    // To take a list apart costs more than to look for one.
    const byCodes = () => ofCodes.all({ ...parameter, codes: JSON.stringify(codes) });
    const byCode =
      code === undefined ? [] : codes.length === 1 ? ofCode.all({ ...parameter, code }) : byCodes();
    const rows = [...byCode, ...criteria.flatMap((criterion) => rowsMatching(parameter, criterion))];
    const found = new Set(rows.map(({ term }) => term));
    return found.size > mostMatching ? null : [...found];
  };

  return {
    find,
    matching,
    findOrAdd: (term) =>
      remembered.get(JSON.stringify(Object.values(term)), () => find(term) ?? add.run(term).rowid),
    forget: remembered.clear,
  };
};
