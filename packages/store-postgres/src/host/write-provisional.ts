import { sql } from 'kysely';
import { nextProvisionalPosition } from '../positions.ts';
import type { QueryBuilder } from '../query-builder.ts';
import { createStatement, type Statement } from '../statement.ts';
import {
  joinRecords,
  type NumberedVersion,
  placedColumns,
  versionHashes,
  versionRows,
  writes,
} from '../write/write-parts.ts';

/**
 * Creates the statement that writes versions with provisional positions. Until they have others, the digest of each is
 * the hash of its content.
 */
export const createProvisionalWriteStatement = (
  builder: QueryBuilder,
  shape: { readonly hasNext: boolean },
): Statement<{ readonly versions: readonly NumberedVersion[] }> =>
  createStatement(
    builder,
    (placeholder) => sql`
      with numbered as materialized (
        select written.*, ${nextProvisionalPosition(builder)} as position,
          encode(substring(${versionHashes(placeholder)} from (n * 32 - 31)::integer for 32), 'hex') as digest
        from (select * from ${versionRows(placeholder)} order by n) as written
      ), placed as materialized (
        select numbered.*, ${placedColumns(shape)} from numbered ${joinRecords(builder, shape)}
      ), ${writes(builder, shape)}
      select`,
  );
