import {
  findConflict,
  type IndexedParameters,
  type ReindexedRecord,
  type Reindexing,
  type StoreError,
} from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import { sql } from 'kysely';
import {
  ignoreError,
  isConnectionLost,
  isTransient,
  outcomeUnknownError,
  postgresError,
  ReadOnlyTenantError,
  staysLockedError,
} from '../postgres-errors.ts';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import { createStatement, type QueryBuilder, type Statement, settingsOf } from '../statement.ts';
import { encodeText } from '../text.ts';
import { beginTransaction, commitTransaction, InDoubtError } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';
import { within } from '../within.ts';
import { createHeadLock, createVersionsStatement, type LockedVersion } from './locks.ts';
import { type CommitResult, type IndexToWrite, recordName, toIndexToWrite } from './prepared-commit.ts';
import { createRestoreTerms, createTermWriter } from './term-writer.ts';
import { answerTimeout, idleTimeout, lockTimeout, msUntil, succeedBy } from './waiting.ts';
import { addTenant, arrayOf, datesOf, deletesOfEntries, entriesOf } from './write-statement.ts';

type IndexOfRecord = IndexToWrite & Pick<ReindexedRecord, 'type' | 'id'>;

/** The statement that replaces the index entries of records, whose rows the transaction has locked. */
const createIndexStatement = (builder: QueryBuilder): Statement<readonly IndexOfRecord[]> => {
  const { table } = builder;
  return createStatement<readonly IndexOfRecord[]>(builder, 'reindex', (placeholder) => {
    const tenant = placeholder.tenant();
    const withTenant = addTenant(builder, tenant);
    const column = (read: (record: IndexOfRecord) => string) =>
      placeholder('text[]', (records) => records.map(read));
    const before = sql`(
      select record, patient_id, old_terms as terms, old_date_terms as date_terms,
        old_date_from as date_from, old_date_until as date_until
      from found
    ) as found`;
    return sql`
      with given as (
        select * from unnest(
          ${column(({ type }) => encodeText(type))},
          ${column(({ id }) => encodeText(id))},
          ${column(({ terms }) => arrayOf(terms))},
          ${column(({ dateTerms }) => arrayOf(dateTerms))},
          ${column(({ dateFrom }) => arrayOf(dateFrom))},
          ${column(({ dateUntil }) => arrayOf(dateUntil))}
        ) as given (type, id, terms, date_terms, date_from, date_until)
      ), found as materialized (
        select searchable.patient_id, searchable.type, searchable.record,
          searchable.terms as old_terms, searchable.date_terms as old_date_terms,
          searchable.date_from as old_date_from, searchable.date_until as old_date_until,
          given.terms::uuid[] as terms, given.date_terms::uuid[] as date_terms,
          given.date_from::bigint[] as date_from, given.date_until::bigint[] as date_until
        from given
        join ${placeholder.rows('records')} as records on records.id = given.id and records.type = given.type
        join ${table('searchable')} as searchable
          on searchable.tenant = ${tenant} and searchable.patient_id = records.patient_id and searchable.type = records.type
            and searchable.record = records.position
      ), indexed as (
        update ${table('searchable')} as searchable
        set terms = found.terms, date_terms = found.date_terms,
          date_from = found.date_from, date_until = found.date_until
        from found
        where searchable.tenant = ${tenant} and searchable.patient_id = found.patient_id
          and searchable.type = found.type and searchable.record = found.record
      ), new_entries as (
        insert into ${table('entries')} (term, record, patient_id, tenant)
        ${withTenant(entriesOf(sql`found`))}
        on conflict do nothing
      ), new_dates as (
        insert into ${table('dates')} (term, "from", "until", record, patient_id, tenant)
        ${withTenant(datesOf(sql`found`))}
        on conflict do nothing
      ), ${deletesOfEntries(builder, tenant, before, sql`found`)}
      select`;
  });
};

/** Runs queries of a transaction, and returns the rows of each. */
type RunQueries = (queries: readonly PostgresQuery[]) => Promise<readonly (readonly unknown[])[]>;

/** Writes index entries in a transaction, and returns the conflict that keeps it from doing so; null if there is none. */
type WriteIndex = (run: RunQueries, reindexing: Reindexing) => Promise<StoreError | null>;

/** The statement that changes the texts of parameters. */
export const createChangeParameters = (builder: QueryBuilder): Statement<IndexedParameters> => {
  const { table } = builder;
  return createStatement<IndexedParameters>(
    builder,
    'reindex',
    (placeholder) =>
      sql`insert into ${table('indexed_parameters')} as indexed (tenant, version, texts)
        values (${placeholder.tenant()}, 1, ${placeholder('jsonb', (changes) => JSON.stringify(changes))})
        on conflict (tenant) do update
        set version = indexed.version + 1, texts = indexed.texts || excluded.texts`,
  );
};

export const createWriteIndex = (builder: QueryBuilder): WriteIndex => {
  const lockRecords = createVersionsStatement(builder, 'for no key update of records');
  const writeEntries = createIndexStatement(builder);
  const lockHead = createHeadLock(builder);
  const readHead = createStatement<null>(
    builder,
    'reindex',
    ({ rows }) => sql`select read_only from ${rows('head')} as head`,
  );
  const restoreTerms = createRestoreTerms(builder);
  const changeParameters = createChangeParameters(builder);

  return async (run, { records, parameters }) => {
    const [[head] = [], rows = []] = await run([readHead.bind(null), lockRecords.bind(records)]);
    if ((head as { readonly read_only: boolean } | undefined)?.read_only)
      throw new ReadOnlyTenantError(builder.tenant.name);
    const versions = new Map(
      (rows as readonly LockedVersion[]).map(({ type, id, version }) => [recordName(type, id), version]),
    );
    for (const record of records) {
      const conflict = findConflict(record, versions.get(recordName(record.type, record.id)) ?? null);
      if (conflict !== null) return conflict;
    }
    const written = records.map(({ type, id, index }) => ({ type, id, ...toIndexToWrite(type, index) }));
    // Terms that are not committed yet are not remembered.
    const newTerms = createTermWriter(builder).queryFor(written, null);
    await run([
      ...(newTerms === null ? [] : [newTerms]),
      writeEntries.bind(written),
      ...(parameters === undefined ? [] : [changeParameters.bind(parameters)]),
    ]);
    // An erasure that has not seen the entries may have deleted their terms.
    if (newTerms !== null) await run([lockHead.bind(null), restoreTerms(written)]);
    return null;
  };
};

/** Replaces index entries in a transaction of their own, and tries again while others have locked the records. */
export const createReindex = (
  use: UseClient,
  writeIndex: WriteIndex,
  { tenant }: QueryBuilder,
  { transactionTimeout }: { readonly transactionTimeout: number },
): ((reindexing: Reindexing) => Promise<CommitResult>) => {
  const write = async (
    client: PostgresClient,
    reindexing: Reindexing,
    end: number,
  ): Promise<CommitResult> => {
    const run: RunQueries = async (queries) => {
      const responses = [];
      for (const query of queries) responses.push(await within(answerTimeout(end), client.query(query)));
      return responses.map(({ rows }) => rows);
    };
    const begin = beginTransaction({
      ...settingsOf(tenant),
      lock_timeout: Math.min(lockTimeout, msUntil(end)),
      idle_in_transaction_session_timeout: idleTimeout,
    });
    await run(begin);
    try {
      const conflict = await writeIndex(run, reindexing);
      if (conflict === null) {
        await commitTransaction(client, [], answerTimeout(end));
        return right([]);
      }
      await client.query({ text: 'rollback' });
      return left(conflict);
    } catch (cause) {
      if (!isConnectionLost(cause)) await client.query({ text: 'rollback' }).catch(ignoreError);
      throw cause;
    }
  };

  /** Writes a reindexing in doubt again, which waits for its end, and then changes nothing if it was written. */
  const settle = async (reindexing: Reindexing, end: number, doubt: InDoubtError): Promise<CommitResult> => {
    const again = await succeedBy(end, () => use((client) => write(client, reindexing, end), msUntil(end)));
    // A record that has changed since does not show what became of it.
    return again?._tag === 'Right' ? again : left(outcomeUnknownError(doubt));
  };

  return async (reindexing) => {
    const end = performance.now() + transactionTimeout;
    for (;;) {
      try {
        return await use((client) => write(client, reindexing, end), msUntil(end));
      } catch (cause) {
        if (cause instanceof InDoubtError) return settle(reindexing, end, cause);
        if (!isTransient(cause)) return left(postgresError(cause));
        if (performance.now() > end) return left(staysLockedError(cause));
      }
    }
  };
};
