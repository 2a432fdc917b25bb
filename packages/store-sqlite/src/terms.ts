import type { IndexEntry, TokenCriterion } from '@clinical-records/core';
import { sql } from 'kysely';
import type { SqliteDatabase } from './database.ts';
import type { QueryBuilder } from './query-builder.ts';
import type { Tables } from './schema.ts';
import { prepare } from './statement.ts';

/** What an index entry of a type of records says. */
export type Term = Omit<Tables['terms'], 'term'>;

/** Where tokens are looked for. */
export type Parameter = { readonly type: string; readonly parameter: string };

/** The numbers by which entries say their terms. Once given, the number of a term never changes. */
export type Terms = {
  readonly find: (term: Term) => number | null;
  /** All that a criterion means, for it may leave the system or the code open. */
  readonly matching: (parameter: Parameter, criterion: TokenCriterion) => readonly number[];
  readonly findOrAdd: (term: Term) => number;
};

export const termOf = (type: string, entry: IndexEntry): Term => {
  const { kind, parameter } = entry;
  switch (entry.kind) {
    case 'token':
      return { type, kind, parameter, system: entry.system, code: entry.code };
    case 'reference':
      return { type, kind, parameter, system: entry.type, code: entry.id };
    case 'date':
      return { type, kind, parameter, system: '', code: '' };
  }
};

export const terms = (database: SqliteDatabase, db: QueryBuilder): Terms => {
  type Row = { readonly term: number };
  // Said literally, or the partial index of tokens would not serve.
  const tokens = db.selectFrom('terms').select('term').where('kind', '=', sql.lit('token'));

  const exact = prepare<Term, Row>(database, (given) =>
    db
      .selectFrom('terms')
      .select('term')
      .where(
        'code',
        '=',
        given(({ code }) => code),
      )
      .where(
        'parameter',
        '=',
        given(({ parameter }) => parameter),
      )
      .where(
        'type',
        '=',
        given(({ type }) => type),
      )
      .where(
        'kind',
        '=',
        given(({ kind }) => kind),
      )
      .where(
        'system',
        '=',
        given(({ system }) => system),
      ),
  );
  const ofCode = prepare<Parameter & { readonly code: string }, Row>(database, (given) =>
    tokens
      .where(
        'code',
        '=',
        given(({ code }) => code),
      )
      .where(
        'parameter',
        '=',
        given(({ parameter }) => parameter),
      )
      .where(
        'type',
        '=',
        given(({ type }) => type),
      ),
  );
  const ofSystem = prepare<Parameter & { readonly system: string }, Row>(database, (given) =>
    tokens
      .where(
        'parameter',
        '=',
        given(({ parameter }) => parameter),
      )
      .where(
        'type',
        '=',
        given(({ type }) => type),
      )
      .where(
        'system',
        '=',
        given(({ system }) => system),
      ),
  );
  const ofParameter = prepare<Parameter, Row>(database, (given) =>
    tokens
      .where(
        'parameter',
        '=',
        given(({ parameter }) => parameter),
      )
      .where(
        'type',
        '=',
        given(({ type }) => type),
      ),
  );
  const add = prepare<Term, Row>(database, (given) =>
    db
      .insertInto('terms')
      .values({
        kind: given(({ kind }) => kind),
        type: given(({ type }) => type),
        parameter: given(({ parameter }) => parameter),
        system: given(({ system }) => system),
        code: given(({ code }) => code),
      })
      .returning('term'),
  );

  const find = (term: Term): number | null => exact.first(term)?.term ?? null;

  const matching = (parameter: Parameter, { system, code }: TokenCriterion): readonly number[] => {
    if (system !== null && code !== null) {
      const found = find({ ...parameter, kind: 'token', system, code });
      return found === null ? [] : [found];
    }
    const rows =
      code !== null
        ? ofCode.all({ ...parameter, code })
        : system !== null
          ? ofSystem.all({ ...parameter, system })
          : ofParameter.all(parameter);
    return rows.map(({ term }) => term);
  };

  const added = (term: Term): number => {
    const row = add.first(term);
    if (row === null) throw new Error('A term was not added.');
    return row.term;
  };

  return { find, matching, findOrAdd: (term) => find(term) ?? added(term) };
};
