import { type RawBuilder, type SqlBool, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import { createStatement, type Placeholder, type QueryBuilder } from '../statement.ts';
import { encodeText } from '../text.ts';
import {
  type ConditionOf,
  type ConditionOn,
  conditionHolds,
  isCommittedInRange,
  openTerms,
  selectDates,
  termsOfParameter,
} from './conditions.ts';
import type { ResolvedCondition, ResolvedQuery } from './resolve-query.ts';

/** A condition of which a side table lists the records. */
type ListedCondition = ConditionOn<'term' | 'token' | 'string' | 'entry' | 'date'>;

const isListed = (condition: ResolvedCondition): condition is ListedCondition =>
  ['term', 'token', 'string', 'entry', 'date'].includes(condition.on);

/** A condition of which an index lists the records: also one on their time. Of a long list of versions, many are not current. */
type ShortListedCondition = ListedCondition | ConditionOn<'at'>;

const isShortListed = (condition: ResolvedCondition): condition is ShortListedCondition =>
  isListed(condition) || condition.on === 'at';

/** A listed condition, and how to read it from a query. */
export type List = { readonly condition: ShortListedCondition; readonly conditionOf: ConditionOf };

/** Selects from the rows of a list. A record has several if it has several of the terms or dates. */
export const selectList = (
  placeholder: Placeholder<ResolvedQuery>,
  { condition, conditionOf }: List,
  { columns, where }: { readonly columns: RawBuilder<unknown>; readonly where: RawBuilder<SqlBool> },
): RawBuilder<unknown> => {
  const withTerms = (terms: RawBuilder<unknown>) =>
    sql`select ${columns} from ${placeholder.rows('entries')} as entries where entries.term = any(${terms}) and ${where}`;
  if (condition.on === 'term')
    return withTerms(placeholder('uuid[]', (query) => (conditionOf(query) as ConditionOn<'term'>).anyOf));
  if (condition.on === 'date') return selectDates(placeholder, condition, conditionOf, { columns, where });
  if (condition.on === 'at')
    return sql`select ${columns} from ${placeholder.rows('versions')} as versions
      where versions.type = ${placeholder('text', ({ type }) => encodeText(type))}
        and ${isCommittedInRange(placeholder, conditionOf)} and ${where}`;
  if (condition.on === 'entry') return withTerms(termsOfParameter(placeholder, conditionOf));
  return withTerms(openTerms(placeholder, condition.on, conditionOf));
};

/** The condition itself, or the one that must not hold. */
export const positiveOf = (condition: ResolvedCondition) =>
  condition.on === 'not' ? condition.condition : condition;

/** Whether no side table says for which records a condition holds, or does not hold. */
const isUnlisted = (condition: ResolvedCondition): boolean => !isListed(positiveOf(condition));

/**
 * The longest list of which each record is looked up. Of a longer one, that would take as long as to read the other lists or, if a
 * condition has none, all records of the type.
 */
const longestShortList = ({ conditions }: ResolvedQuery): number =>
  conditions.some(isUnlisted) ? 4096 : 512;

/**
 * Creates the function that finds the shortest list of a query: the index of its condition. It is null if no list is short, or if
 * there is nothing to choose. Each list is counted until it is known to be too long. A condition on the time lists the
 * versions of that time, which are few for a client that polls for changes.
 */
export const createFindShortList = (
  builder: QueryBuilder,
): ((reader: Reader, query: ResolvedQuery) => Promise<number | null>) => {
  const statementFor = (shape: ResolvedQuery) =>
    createStatement<ResolvedQuery, { readonly index: number; readonly rows: number }>(
      builder,
      'search',
      (placeholder) => {
        const counts = [...shape.conditions.entries()].flatMap(([index, condition]) => {
          if (!isShortListed(condition)) return [];
          const list = { condition, conditionOf: (query: ResolvedQuery) => query.conditions[index] };
          const rows = selectList(placeholder, list, { columns: sql``, where: sql`true` });
          return [
            sql`select ${sql.lit(index)} as index, count(*) as rows
              from (select from (${rows}) as list limit ${sql.lit(longestShortList(shape) + 1)}) as counted`,
          ];
        });
        return sql`${sql.join(counts, sql` union all `)} order by rows, index limit 1`;
      },
      { isPrepared: false },
    );
  return async (reader, query) => {
    const hasChoice = query.conditions.length > 1 || query.conditions.some(({ on }) => on === 'at');
    if (!hasChoice || !query.conditions.some(isShortListed)) return null;
    const [shortest] = await reader(statementFor(query), query);
    return shortest !== undefined && shortest.rows <= longestShortList(query) ? shortest.index : null;
  };
};

/**
 * Selects the records for which all conditions of a broad search hold, by their places in the order of creation. Of a short list, each
 * record is compared with the other conditions. Otherwise, the list of each condition is read once, and PostgreSQL intersects them by
 * hashes or by sorting, however many rows it expects. In a join, it could read one list for each record of another: it takes conditions
 * for independent, and expects one record of a thousand that it finds.
 */
export const selectBroadMatches = (
  placeholder: Placeholder<ResolvedQuery>,
  { conditions, withTotal }: ResolvedQuery,
  {
    shortList,
    isInRange,
  }: {
    /** The index of a condition of which the list is short. */
    readonly shortList: number | null;
    /** Which places in the order of creation the search looks at. */
    readonly isInRange: RawBuilder<SqlBool>;
  },
): RawBuilder<unknown> => {
  const readsRows = conditions.some(isUnlisted) || !conditions.some(isListed);
  // Without a total, rows are compared in the order of creation, and none behind the page. To look up the terms of each takes longer.
  const looksUpTerms = conditions.some((condition) => positiveOf(condition).on === 'entry');
  const readsLists = shortList === null && (withTotal || !readsRows || looksUpTerms);
  const included: List[] = [];
  const excluded: List[] = [];
  const compared: RawBuilder<SqlBool>[] = [];
  for (const [index, condition] of conditions.entries()) {
    const conditionOf: ConditionOf = (query) => query.conditions[index];
    const within: ConditionOf = (query) => (conditionOf(query) as ConditionOn<'not'>).condition;
    if (index === shortList && condition.on === 'at') {
      included.push({ condition, conditionOf });
      // A version of the list may not be the current one.
      compared.push(conditionHolds(placeholder, condition, conditionOf));
    } else if (isListed(condition) && (readsLists || index === shortList))
      included.push({ condition, conditionOf });
    else if (condition.on === 'not' && isListed(condition.condition) && readsLists)
      excluded.push({ condition: condition.condition, conditionOf: within });
    else compared.push(conditionHolds(placeholder, condition, conditionOf));
  }
  const isOfType = sql<SqlBool>`searchable.type = ${placeholder('text', ({ type }) => encodeText(type))}`;
  const rowsWhere = (...all: readonly RawBuilder<SqlBool>[]) =>
    sql`from ${placeholder.rows('searchable')} as searchable where ${sql.join([isOfType, ...all, ...compared], sql` and `)}`;
  const selectFrom = (list: List, columns: RawBuilder<unknown>) =>
    sql`(${selectList(placeholder, list, { columns, where: isInRange })})`;
  const [short] = included;
  if (shortList !== null && short !== undefined) {
    // With `limit`, PostgreSQL looks each row up by its key, however many it expects.
    const isListedRow = sql<SqlBool>`searchable.patient_id = listed.patient_id and searchable.record = listed.record`;
    return sql`select listed.record
      from (select distinct record, patient_id from ${selectFrom(short, sql`record, patient_id`)} as rows) as listed
      cross join lateral (select ${rowsWhere(isListedRow)} limit 1) as found`;
  }
  const rows = sql`(select record ${rowsWhere(isInRange)})`;
  const lists = included.map((list) => selectFrom(list, sql`record`));
  const sets = sql.join(readsRows ? [rows, ...lists] : lists, sql` intersect `);
  const others = excluded.map((list) => sql` except ${selectFrom(list, sql`record`)}`);
  // Only a set operation removes the repeated records of a list.
  return lists.length === 1 && !readsRows && others.length === 0
    ? sql`select distinct record from ${sets} as rows`
    : sql`${sets}${sql.join(others, sql``)}`;
};
