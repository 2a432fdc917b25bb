import type { RecordRef } from '@clinical-records/core/store';
import { sql } from 'kysely';
import { firstProvisionalPosition } from '../positions.ts';
import type { PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Placeholder } from '../statement.ts';
import type { OpenTransaction } from './open-transaction.ts';

/** A record, and its version since it was erased. */
export type ErasedRecord = RecordRef & { readonly version: number };

/** Takes erased records off the counts at the end of a transaction of the host. */
export type UncountErased = {
  /** Finds those of some records that the counts contain. It must run before their earlier versions are erased. */
  readonly findCounted: (erased: readonly ErasedRecord[]) => PostgresQuery;
  /** Takes these records off the counts at the end of the transaction, unless the host has undone the erasure. */
  readonly atEnd: (transaction: OpenTransaction, counted: readonly ErasedRecord[]) => void;
};

/**
 * The end of a transaction counts what the records were before it. An erasure removes that from the tables. So it is found out
 * before the erasure.
 */
export const createUncountErased = (builder: QueryBuilder): UncountErased => {
  const { table } = builder;
  const named = (placeholder: Placeholder<readonly ErasedRecord[]>) => sql`
    unnest(
      ${placeholder('text[]', (erased) => erased.map(({ type }) => type))},
      ${placeholder('text[]', (erased) => erased.map(({ id }) => id))},
      ${placeholder('integer[]', (erased) => erased.map(({ version }) => version))}
    ) as named (type, id, version)
    join ${table('records')} as records on records.id = named.id and records.type = named.type`;
  const isBefore = sql`versions.position < ${firstProvisionalPosition}`;
  const find = createStatement<readonly ErasedRecord[], ErasedRecord>(
    builder,
    (placeholder) => sql`
      select named.type, named.id, named.version from ${named(placeholder)}
      where coalesce(
        (
          select versions.resource is not null from ${table('versions')} as versions
          where versions.record = records.position and versions.version > 1 and ${isBefore}
          order by versions.version desc limit 1
        ),
        (
          select versions.resource is not null from ${table('versions')} as versions
          where versions.position = records.position and ${isBefore}
        )
      )`,
  );
  const uncount = createStatement<readonly ErasedRecord[]>(
    builder,
    (placeholder) => sql`
      update ${table('counts')} as counts set readable = counts.readable - erased.number
      from (
        select named.type, count(*) as number
        from ${named(placeholder)} and records.version = named.version
        join ${table('versions')} as versions
          on versions.position = records.current and versions.patient_id = records.patient_id
            and versions.resource is null
        group by named.type
      ) as erased
      where counts.type = erased.type`,
  );
  const countedIn = new WeakMap<OpenTransaction, Map<string, ErasedRecord>>();

  return {
    findCounted: (erased) => find.bind(erased),
    atEnd: (transaction, counted) => {
      if (counted.length === 0) return;
      const all = countedIn.get(transaction) ?? new Map<string, ErasedRecord>();
      countedIn.set(transaction, all);
      for (const one of counted) all.set(`${one.type}/${one.id}`, one);
      transaction.atEnd(`${builder.schema} counts`, [uncount.bind([...all.values()])]);
    },
  };
};
