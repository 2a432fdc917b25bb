import type { RecordRef } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import { firstProvisionalPosition } from '../positions.ts';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Placeholder } from '../statement.ts';
import { encodeText } from '../text.ts';
import { nameOf } from '../write/prepared-commit.ts';
import type { OpenTransaction } from './open-transaction.ts';

/** A record that the counts contain, its last version before the transaction, and the version that says it is erased. */
export type CountedRecord = RecordRef & { readonly version: number; readonly erasure: number };

/** Takes erased records off the counts at the end of a transaction of the host. */
export type UncountErased = {
  /** Finds those of some records that the counts contain. It must run before their earlier versions are erased. */
  readonly findCounted: (erased: readonly RecordRef[]) => PostgresQuery;
  /**
   * Takes these records off the counts at the end of the transaction, unless the host has undone the erasure. It must run
   * while the versions of the transaction have provisional positions.
   */
  readonly atEnd: (transaction: OpenTransaction, counted: readonly CountedRecord[]) => void;
};

/**
 * The end of a transaction counts what the records were before it. An erasure removes that from the tables. So it is found out
 * before the erasure. If the erasure is undone, the last version before the transaction has a resource at the end. Or another
 * client has erased the record since, and the version that says so is one of others.
 */
export const createUncountErased = (builder: QueryBuilder): UncountErased => {
  const { table } = builder;
  const names = (placeholder: Placeholder<readonly RecordRef[]>) => sql`
    ${placeholder('text[]', (refs) => refs.map(({ type }) => encodeText(type)))},
    ${placeholder('text[]', (refs) => refs.map(({ id }) => encodeText(id)))}`;
  /** The last version of each named record that meets a condition. */
  const joinLast = (condition: RawBuilder<unknown>) => sql`
    join ${table('records')} as records on records.id = named.id and records.type = named.type
    cross join lateral (
      select versions.version, versions.resource is not null as is_readable from ${table('versions')} as versions
      where versions.record = records.position and versions.version > 1 and ${condition}
      union all
      select versions.version, versions.resource is not null from ${table('versions')} as versions
      where versions.position = records.position and ${condition}
      order by version desc limit 1
    ) as last`;
  const find = createStatement<readonly RecordRef[], CountedRecord>(
    builder,
    (placeholder) => sql`
      select named.type, named.id, last.version, records.version + 1 as erasure
      from unnest(${names(placeholder)}) as named (type, id)
      ${joinLast(sql`versions.position < ${firstProvisionalPosition}`)}
      where last.is_readable`,
  );
  const uncount = createStatement<readonly CountedRecord[]>(
    builder,
    (placeholder) => sql`
      update ${table('counts')} as counts set readable = counts.readable - erased.number
      from (
        select named.type, count(*) as number
        from unnest(
          ${names(placeholder)},
          ${placeholder('integer[]', (counted) => counted.map(({ version }) => version))},
          ${placeholder('integer[]', (counted) => counted.map(({ erasure }) => erasure))}
        ) as named (type, id, version, erasure)
        ${joinLast(sql`versions.version = named.version`)}
        where not last.is_readable and exists (
          select from ${table('versions')} as versions
          where versions.record = records.position and versions.version > 1 and versions.version = named.erasure
            and versions.position >= ${firstProvisionalPosition}
        )
        group by named.type
      ) as erased
      where counts.type = erased.type`,
  );
  const countedIn = new WeakMap<OpenTransaction, Map<string, CountedRecord>>();

  return {
    findCounted: (erased) => find.bind(erased),
    atEnd: (transaction, counted) => {
      if (counted.length === 0) return;
      const all = countedIn.get(transaction) ?? new Map<string, CountedRecord>();
      countedIn.set(transaction, all);
      for (const one of counted) all.set(nameOf(one.type, one.id), one);
      transaction.atEnd(`${builder.schema} counts`, [uncount.bind([...all.values()])]);
    },
  };
};
