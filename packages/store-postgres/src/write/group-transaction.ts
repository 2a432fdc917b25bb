import type { RecordRef } from '@clinical-records/core/store';
import type { PostgresClient, PostgresQuery } from '../postgres-pool.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { runStatement } from '../statement.ts';
import { type BoundGroup, bindGroup, refsOf } from './bind-group.ts';
import { createNameGuard } from './guard-names.ts';
import { createBriefHeadLock } from './lock-head.ts';
import { nameOf, type PendingCommit } from './pending-commit.ts';
import { createVersionsStatement } from './record-versions.ts';
import { createTermWriter } from './term-writer.ts';
import { createWriteStatement } from './write-statement.ts';
import type { Writer } from './writer.ts';

/** The queries of the transaction that writes a group. */
export type GroupTransaction = {
  /** The versions of the records that exist, by their names. */
  readonly readVersions: (
    client: PostgresClient,
    refs: readonly RecordRef[],
  ) => Promise<ReadonlyMap<string, number>>;
  /** Finds out which versions come next, where any is expected. */
  readonly bind: (client: PostgresClient, group: readonly PendingCommit[]) => Promise<BoundGroup>;
  /**
   * The queries, in the order in which they lock. The rows of records come first, and without `isPatient` a locked one
   * is an error. With it, the names of new records are guarded before. The end of the feed is locked last, so that nobody
   * waits while holding it.
   */
  readonly queriesFor: (
    bound: BoundGroup,
    writer: Writer,
    options: { readonly isPatient: boolean },
  ) => readonly PostgresQuery[];
  /** Must be called once a group is committed. */
  readonly remember: (bound: BoundGroup) => void;
  /** Must be called if the database may be an older copy of itself. */
  readonly forget: () => void;
};

export const createGroupTransaction = (builder: QueryBuilder): GroupTransaction => {
  const terms = createTermWriter(builder);
  const writeFirst = createWriteStatement(builder, { hasNext: false });
  const writeNext = createWriteStatement(builder, { hasNext: true });
  const versionsOf = createVersionsStatement(builder, null);
  const lockAtOnce = createVersionsStatement(builder, 'for no key update of records nowait');
  const lockPatiently = createVersionsStatement(builder, 'for no key update of records');
  const guardNames = createNameGuard(builder);
  const lockHead = createBriefHeadLock(builder);

  const readVersions: GroupTransaction['readVersions'] = async (client, refs) => {
    const rows = await runStatement(client, versionsOf, refs);
    return new Map(rows.map(({ type, id, version }) => [nameOf(type, id), version]));
  };

  return {
    readVersions,
    bind: async (client, group) => {
      const open = group.flatMap(({ expectations }) =>
        expectations.filter(({ expects, version }) => expects._tag === 'Any' && version !== null),
      );
      return bindGroup(group, open.length === 0 ? new Map() : await readVersions(client, refsOf(open)));
    },
    queriesFor: (bound, writer, { isPatient }) => {
      const hasNext = bound.updated.length > 0;
      const newTerms = terms.queryFor(bound.versions);
      const group = { ...bound, writer };
      return [
        ...(isPatient ? guardNames(bound.created) : []),
        ...(hasNext ? [(isPatient ? lockPatiently : lockAtOnce).bind(bound.updated)] : []),
        ...(newTerms === null ? [] : [newTerms]),
        lockHead.bind(null),
        (hasNext ? writeNext : writeFirst).bind(group),
      ];
    },
    remember: ({ versions }) => terms.remember(versions),
    forget: terms.forget,
  };
};
