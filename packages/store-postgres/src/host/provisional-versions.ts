import { hashContent } from '@clinical-records/core/store';
import { type RawBuilder, sql } from 'kysely';
import { nextProvisionalPosition } from '../schema.ts';
import { createStatement, type QueryBuilder, type Statement } from '../statement.ts';
import { sha256 } from '../write/feed-head.ts';
import type { NumberedVersion } from '../write/prepared-commit.ts';
import {
  addTenant,
  type DigestedVersion,
  joinRecords,
  placedColumns,
  versionRows,
  writes,
} from '../write/write-statement.ts';

/** A version whose digest is the hash of its content, until it has its position. */
export const withContentHash = (version: NumberedVersion): DigestedVersion => ({
  ...version,
  digest: hashContent(sha256, { ...version.content, version: version.before + 1 }),
});

/** Whether some of the versions follow an earlier one. */
type Shape = { readonly hasNext: boolean };

/**
 * The parts of a statement that write versions with provisional positions, which the COMMIT replaces with their places: it finds
 * those of the transaction by its row in `host_transactions`.
 */
export const provisionalWrite = (
  builder: QueryBuilder,
  tenant: RawBuilder<number>,
  versions: RawBuilder<unknown>,
  next: RawBuilder<number>,
  shape: Shape,
) => sql`
  with numbered as materialized (
    select written.*, ${next} as position from (select * from ${versions} order by n) as written
  ), placed as materialized (
    select numbered.*, ${placedColumns(shape)} from numbered ${joinRecords(builder, tenant, shape)}
  ), ${writes(builder, tenant, shape)}, begun as materialized (
    select pg_current_xact_id() as transaction, 1 as stage, min(position) as first from placed having count(*) > 0
  ), transaction as (
    insert into ${builder.table('host_transactions')} (transaction, stage, first, tenant)
    ${addTenant(builder, tenant)(sql`select * from begun`)}
    on conflict do nothing
  )`;

/** Creates the statement that writes versions so. */
export const createProvisionalWriteStatement = (
  builder: QueryBuilder,
  shape: Shape,
): Statement<{ readonly versions: readonly DigestedVersion[] }> =>
  createStatement(builder, 'commit', (placeholder) => {
    const next = nextProvisionalPosition(builder);
    const write = provisionalWrite(builder, placeholder.tenant(), versionRows(placeholder), next, shape);
    return sql`${write} select`;
  });
