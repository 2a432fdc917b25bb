import {
  countAt,
  countedPosition,
  type FeedEntry,
  type FeedRange,
  type StoreError,
  takeEntries,
} from '@clinical-records/core/store';
import { type Either, right } from 'fp-ts/lib/Either.js';
import { sql } from 'kysely';
import { firstProvisionalPosition } from '../positions.ts';
import { unknownPosition } from '../postgres-errors.ts';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import { createStatement } from '../statement.ts';
import { bytesBefore, maxOctets, toStoredRecord, type VersionRow, versionColumns } from './version-row.ts';

/** Where a page of the feed begins and ends. */
type FeedPage = { readonly after: number; readonly digest: string | null } & Pick<
  FeedRange,
  'limit' | 'bytes'
>;

/** `is_known` says whether the page can begin where it is to begin. Without versions, it is the only value. */
type FeedRow = { readonly is_known: boolean } & (
  | (VersionRow & { readonly digest: string })
  | { readonly position: null }
);

/** Reads a part of the feed. */
export const createChangesSince = (
  builder: QueryBuilder,
  reader: Reader,
): ((range: FeedRange) => Promise<Either<StoreError, readonly FeedEntry[]>>) => {
  const { table } = builder;
  const statement = createStatement<FeedPage, FeedRow>(builder, (placeholder) => {
    const after = placeholder('bigint', (page) => page.after);
    const digest = placeholder<string | null>('text', (page) => page.digest);
    return sql`
      select is_known, page.* from (
        select ${after} = 0 or exists (
          select from ${table('versions')} where position = ${after} and digest = coalesce(${digest}, digest)
        ) as is_known
      ) as beginning
      left join (
        select * from (
          select versions.position, versions.digest, ${versionColumns('versions')},
            ${bytesBefore(sql`octet_length(state) + coalesce(octet_length(resource), 0)`, sql`position`)} as bytes_before
          from (
            select * from ${table('versions')} as versions
            where position > ${after} and position < ${firstProvisionalPosition}
            order by position
            limit ${placeholder('bigint', ({ limit }) => limit)}
          ) as versions
        ) as measured
        where bytes_before is null or bytes_before < ${placeholder('bigint', ({ bytes }) => maxOctets(bytes))}
      ) as page on true
      order by page.position`;
  });

  return async (range) => {
    const after = countAt(range.position);
    if (after === null) return unknownPosition;
    const { limit, bytes, digest = null } = range;
    const rows = await reader(statement, { after, digest, limit: Math.max(0, limit), bytes });
    if (rows[0]?.is_known !== true) return unknownPosition;
    const entries = rows.flatMap((row) =>
      row.position === null
        ? []
        : [{ ...toStoredRecord(row), position: countedPosition(row.position), digest: row.digest }],
    );
    return right(takeEntries(entries, range));
  };
};
