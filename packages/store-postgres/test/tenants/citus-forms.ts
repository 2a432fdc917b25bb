import type pg from 'pg';
import type { PostgresQuery } from '../../src/index.ts';
import { tenantTables } from '../../src/tables/migrations.ts';

/** The statements of stores that run on a pool from now on. */
export const noteStatements = (pool: pg.Pool): ReadonlySet<string> => {
  const statements = new Set<string>();
  pool.on('connect', (client: pg.PoolClient) => {
    const query = client.query as (...args: unknown[]) => unknown;
    const noteQuery = (...args: unknown[]) => {
      const { text } = args[0] as PostgresQuery;
      if (text?.startsWith('/* clinical-records')) statements.add(text);
      return query.apply(client, args);
    };
    Object.assign(client, { query: noteQuery });
  });
  return statements;
};

const tenantTable = `"clinical_records"\\."(${tenantTables.join('|')})"`;

/** A parameter for the number of the tenant, as a statement has it that is prepared or not, or that divides by zero without one. */
const tenantNumber =
  /^tenant = (\(select )?\$\d+::integer|^tenant = \(\s*select own\.tenant \/ [^$]* where own\.tenant = \(select \$\d+::integer/;

type Part = { readonly text: string; readonly reads: readonly string[]; readonly writes: readonly string[] };

const partOf = (text: string): Part => {
  const tables = [...text.matchAll(new RegExp(`([a-z]+)\\s+${tenantTable}`, 'g'))];
  const isWrite = ([, word, table]: RegExpMatchArray) =>
    word === 'into' ||
    word === 'update' ||
    (word === 'from' && text.includes(`delete from "clinical_records"."${table}"`));
  return {
    text,
    reads: tables.filter((found) => !isWrite(found)).map(([, , table]) => table ?? ''),
    writes: tables.filter(isWrite).map(([, , table]) => table ?? ''),
  };
};

/** The parts of a statement in their order: what is in the parentheses of WITH, and then the rest. */
const partsOf = (statement: string): readonly Part[] => {
  const parts: Part[] = [];
  let rest = '';
  let [depth, start] = [0, 0];
  for (const { 0: token, index } of statement.matchAll(/[()]|[^()]+/g)) {
    if (token === '(' && depth++ === 0) start = index;
    if (depth === 0) rest += token;
    if (token !== ')' || --depth > 0) continue;
    const inner = statement.slice(start, index + 1);
    if (/\bas( (not )?materialized)? $/.test(rest)) parts.push(partOf(inner));
    else rest += inner;
  }
  return [...parts, partOf(rest)];
};

/** The tables that a statement does not limit to one tenant by a parameter. */
const unlimited = (statement: string): readonly string[] =>
  [...statement.matchAll(new RegExp(`(?:from|join|using|update) ${tenantTable}( as \\w+)?`, 'g'))].flatMap(
    ({ 0: found, 1: table = '', 2: alias, index }) => {
      const name = alias?.slice(4) ?? table;
      const conditions = statement
        .slice(index + found.length)
        .split(alias === undefined ? /\bwhere (?=tenant = )/ : new RegExp(`\\b${name}\\.(?=tenant = )`));
      return conditions.slice(1).some((condition) => tenantNumber.test(condition)) ? [] : [table];
    },
  );

/**
 * Why Citus would refuse a statement, or run it otherwise than PostgreSQL does; empty if it would not. Citus sends a statement to
 * the server of its tenant if each table is limited to it. It runs the parts of a statement that writes one after the other, so
 * that each sees what those before it have written.
 */
export const refusalsOf = (statement: string): readonly string[] => {
  const written = new Set<string>();
  const refusals = unlimited(statement).map((table) => `${table} is not limited to a tenant`);
  for (const { text, reads, writes } of partsOf(statement)) {
    for (const table of reads) if (written.has(table)) refusals.push(`${table} is read after it is written`);
    for (const table of writes) written.add(table);
    if (writes.length === 0) continue;
    if (/\b(case|coalesce|returning|where)\b[^;]*\bset_config\(/.test(text))
      refusals.push('set_config in a part that writes');
    if (/\b(case\b(?:(?!\bend\b)[\s\S])*|coalesce\([^)]*)\bcurrent_setting\(/.test(text))
      refusals.push('current_setting in CASE or COALESCE');
  }
  return refusals;
};
