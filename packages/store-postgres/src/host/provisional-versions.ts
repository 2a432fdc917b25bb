import { hashContent } from '@clinical-records/core/store';
import { sql } from 'kysely';
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

/** Creates the statement that writes versions with provisional positions, which the COMMIT replaces with their places. */
export const createProvisionalWriteStatement = (
  builder: QueryBuilder,
  shape: { readonly hasNext: boolean },
): Statement<{ readonly versions: readonly DigestedVersion[] }> =>
  createStatement(builder, 'commit', (placeholder) => {
    const tenant = placeholder.tenant();
    return sql`
      with numbered as materialized (
        select written.*, ${nextProvisionalPosition(builder)} as position
        from (select * from ${versionRows(placeholder)} order by n) as written
      ), placed as materialized (
        select numbered.*, ${placedColumns(shape)} from numbered ${joinRecords(builder, tenant, shape)}
      ), ${writes(builder, tenant, shape)}, begun as materialized (
        select pg_current_xact_id() as transaction, 1 as stage, min(position) as first from placed having count(*) > 0
      ), transaction as (
        insert into ${builder.table('host_transactions')} (transaction, stage, first, tenant)
        ${addTenant(builder, tenant)(sql`select * from begun`)}
        on conflict do nothing
      )
      select`;
  });
