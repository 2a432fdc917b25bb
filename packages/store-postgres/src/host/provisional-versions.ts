import { hashContent } from '@clinical-records/core/store';
import { sql } from 'kysely';
import { nextProvisionalPosition } from '../schema.ts';
import { createStatement, type QueryBuilder, type Statement } from '../statement.ts';
import { sha256 } from '../write/feed-head.ts';
import type { NumberedVersion } from '../write/prepared-commit.ts';
import {
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
        select written.*, ${tenant} as tenant, ${nextProvisionalPosition(builder)} as position
        from (select * from ${versionRows(placeholder)} order by n) as written
      ), placed as materialized (
        select numbered.*, ${placedColumns(shape)} from numbered ${joinRecords(builder, tenant, shape)}
      ), ${writes(builder, tenant, shape)}, transaction as (
        insert into ${builder.table('host_transactions')} (transaction, tenant, stage, first)
        select pg_current_xact_id(), tenant, 1, min(position) from placed group by tenant
        on conflict do nothing
      )
      select`;
  });
