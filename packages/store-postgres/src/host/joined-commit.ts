import type { Commit, RecordRef } from '@clinical-records/core/store';
import { left, right } from 'fp-ts/lib/Either.js';
import { type RawBuilder, sql } from 'kysely';
import { isTransient, staysLockedError } from '../postgres-errors.ts';
import type { PostgresQuery } from '../postgres-pool.ts';
import { firstProvisionalPosition } from '../schema.ts';
import { createStatement, type Placeholder, type QueryBuilder } from '../statement.ts';
import { encodeText } from '../text.ts';
import { createErase } from '../write/erase.ts';
import {
  createHeadLock,
  createNameGuard,
  createVersionsStatement,
  type RecordVersion,
} from '../write/locks.ts';
import {
  bindGroup,
  type CommitResult,
  checkCommit,
  conflictOf,
  nameOf,
  type PreparedCommit,
  prepareCommit,
  refsOf,
} from '../write/prepared-commit.ts';
import { createWriteIndex, type RunQueries } from '../write/reindex.ts';
import { createRestoreTerms, createTermWriter } from '../write/term-writer.ts';
import { type OpenTransaction, runInSavepoint } from './open-transaction.ts';
import {
  createAssignPositions,
  createProvisionalWriteStatement,
  withContentHash,
} from './provisional-versions.ts';

/** A record that the counts contain, its last version before the transaction, and the version that says it is erased. */
type CountedRecord = RecordRef & { readonly version: number; readonly erasure: number };

/** Takes erased records off the counts at the end of a transaction of the host. */
type UncountErased = {
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
const createUncountErased = (builder: QueryBuilder): UncountErased => {
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
      for (const record of counted) all.set(nameOf(record.type, record.id), record);
      transaction.atEnd(`${builder.schema} counts`, [uncount.bind([...all.values()])]);
    },
  };
};

/**
 * Writes commits in a transaction of the host, with provisional positions, so that nobody waits for the end of the feed
 * while it is open.
 *
 * It locks every record that a commit names until the end of the transaction: the changed ones against any lock, the
 * checked ones against changes. It guards the names of absent records. Its decision remains right, because nobody changes them
 * before its end, other transactions of hosts included.
 *
 * Other commits check versions without locking. They fail if the end of the feed was moved after their snapshot. Each
 * of them locks the records that it updates before, so that it waits for this transaction, and then sees what that has
 * written. For the key of a record that it creates it may wait afterwards, while it holds the end of the feed. This
 * transaction cannot commit meanwhile, so nothing that was checked changes, and the other commit soon gives way. If the
 * other was first, this transaction waits for it, and sees what it has written.
 */
export const createJoinedCommit = (
  builder: QueryBuilder,
): ((transaction: OpenTransaction, commit: Commit) => Promise<CommitResult>) => {
  const guardNames = createNameGuard(builder);
  const lockChanged = createVersionsStatement(builder, 'for no key update of records');
  const lockChecked = createVersionsStatement(builder, 'for share of records');
  const writeFirst = createProvisionalWriteStatement(builder, { hasNext: false });
  const writeNext = createProvisionalWriteStatement(builder, { hasNext: true });
  const lockHead = createHeadLock(builder);
  const assignPositions = createAssignPositions(builder);
  const terms = createTermWriter(builder);
  const restoreTerms = createRestoreTerms(builder);
  let commits = 0;
  const { eraseVersions, eraseTerms } = createErase(builder);
  const { findCounted, atEnd: uncountAtEnd } = createUncountErased(builder);

  /** Adds queries of a commit, which run once the end of the feed is locked, and before an erasure of its own. */
  const atEnd = (transaction: OpenTransaction, queries: readonly PostgresQuery[]): void => {
    commits += 1;
    transaction.atEnd(`${builder.schema} commit ${commits}`, queries);
  };

  /** Locks all records that a commit names, and returns the versions that they have from then on. */
  const lockRecords = async (
    transaction: OpenTransaction,
    { expectations }: PreparedCommit,
    end: number,
  ): Promise<ReadonlyMap<string, number>> => {
    const changed = refsOf(expectations.filter(({ version }) => version !== null));
    const checked = refsOf(expectations.filter(({ version }) => version === null));
    const [, , ...locked] = await runInSavepoint(
      transaction,
      [...guardNames(refsOf(expectations)), lockChanged.bind(changed), lockChecked.bind(checked)],
      end,
    );
    const rows = locked.flat() as readonly RecordVersion[];
    return new Map(rows.map(({ type, id, version }) => [nameOf(type, id), version]));
  };

  const write = async (
    transaction: OpenTransaction,
    prepared: PreparedCommit,
    end: number,
  ): Promise<CommitResult> => {
    const current = await lockRecords(transaction, prepared, end);
    const conflict = conflictOf(prepared, current);
    if (conflict !== null) return left(conflict);
    const bound = bindGroup([prepared], current);
    const { updated } = bound;
    const versions = bound.versions.map(withContentHash);
    // Terms that are not committed yet are not remembered.
    const newTerms = terms.queryFor(versions, null);
    const query = (updated.length > 0 ? writeNext : writeFirst).bind({ versions });
    const erased = versions.filter(({ priorStates }) => priorStates !== null);
    const queries = [...(newTerms === null ? [] : [newTerms]), query];
    const rows = await runInSavepoint(
      transaction,
      erased.length === 0
        ? queries
        : [findCounted(erased.map(({ content }) => content)), ...queries, eraseVersions(versions)],
      end,
    );
    transaction.atEnd(builder.schema, [lockHead.bind(null)]);
    transaction.atEnd(`${builder.schema} positions`, [assignPositions.bind(null)]);
    if (newTerms !== null) atEnd(transaction, [restoreTerms(versions)]);
    if (erased.length > 0) {
      const [counted = []] = rows;
      uncountAtEnd(transaction, counted as readonly CountedRecord[]);
      transaction.atEnd(`${builder.schema} erasure`, eraseTerms());
    }
    return right(versions.map(({ before }) => before + 1));
  };

  const writeIndex = createWriteIndex(builder);

  return async (transaction, commit) => {
    const error = checkCommit(commit);
    if (error !== null) return left(error);
    const end = performance.now() + transaction.transactionTimeout;
    try {
      if (commit.reindexing === undefined) return await write(transaction, prepareCommit(commit), end);
      const run: RunQueries = (queries) => runInSavepoint(transaction, queries, end);
      const conflict = await writeIndex(run, commit.reindexing, (queries) => atEnd(transaction, queries));
      return conflict === null ? right([]) : left(conflict);
    } catch (cause) {
      if (isTransient(cause)) return left(staysLockedError);
      throw cause;
    }
  };
};
