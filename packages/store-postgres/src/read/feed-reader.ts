import {
  countAt,
  countedPosition,
  type EntryRange,
  type FeedEnd,
  type FeedEntry,
  type FeedRange,
  type IndexEntry,
  type IndexedRecord,
  indexEntryOf,
  type StoreError,
  type Term,
  takeEntries,
  unknownPositionError,
} from '@clinical-records/core/store';
import { type Either, left, right } from 'fp-ts/lib/Either.js';
import { sql } from 'kysely';
import type { Reader } from '../readers.ts';
import { firstProvisionalPosition, termId } from '../schema.ts';
import { createStatement, type QueryBuilder, type Rows } from '../statement.ts';
import { decodeText } from '../text.ts';
import {
  bytesBefore,
  maxOctets,
  patientOf,
  toStoredRecord,
  type VersionRow,
  versionColumns,
} from './record-reader.ts';

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

const createChangesSince = (
  builder: QueryBuilder,
  reader: Reader,
): ((range: FeedRange) => Promise<Either<StoreError, readonly FeedEntry[]>>) => {
  const statement = createStatement<FeedPage, FeedRow>(builder, 'changes', (placeholder) => {
    const after = placeholder('bigint', (page) => page.after);
    const digest = placeholder<string | null>('text', (page) => page.digest);
    const { rows } = placeholder;
    return sql`
      select is_known, page.* from (
        select ${after} = 0 or exists (
          select from ${rows('versions')} as versions where position = ${after} and digest = coalesce(${digest}, digest)
        ) as is_known
      ) as beginning
      left join (
        select * from (
          select versions.position, versions.digest, ${versionColumns('versions')},
            ${bytesBefore(sql`octet_length(state) + coalesce(octet_length(resource), 0)`, sql`position`)} as bytes_before
          from (
            select * from ${rows('versions')} as versions
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
    if (after === null) return left(unknownPositionError);
    const { limit, bytes, digest = null } = range;
    const rows = await reader(statement, { after, digest, limit: Math.max(0, limit), bytes });
    if (rows[0]?.is_known !== true) return left(unknownPositionError);
    const entries = rows.flatMap((row) =>
      row.position === null
        ? []
        : [{ ...toStoredRecord(row), position: countedPosition(row.position), digest: row.digest }],
    );
    return right(takeEntries(entries, range));
  };
};

type HeadRow = { readonly position: number; readonly digest: string };

const createReadFeedEnd = (builder: QueryBuilder, reader: Reader): (() => Promise<FeedEnd | null>) => {
  const statement = createStatement<null, HeadRow>(
    builder,
    'feedEnd',
    ({ rows }) => sql`select position, digest from ${rows('head')} as head where position > 0`,
  );
  return async () => {
    const [head] = await reader(statement, null);
    return head === undefined ? null : { ...head, position: countedPosition(head.position) };
  };
};

/** The records after a position, and how many of them. */
type ScanPage = { readonly after: number } & Pick<EntryRange, 'limit' | 'bytes'>;

/** An index entry of a record as JSON. `is_led_to` says whether searches without a patient find the record by it. */
type IndexRow = Term & {
  readonly term: string;
  readonly from: number;
  readonly until: number;
  readonly is_led_to: boolean;
};

type ScanRow = { readonly is_known: boolean } & (
  | (Omit<VersionRow, 'position'> & { readonly position: number; readonly index: string | null })
  | { readonly position: null }
);

/**
 * An index entry of a record of the type. If its row is damaged, or belongs to another type, that shows in its
 * parameter.
 */
const toIndexEntry =
  (type: string) =>
  ({ is_led_to, term, from, until, ...row }: IndexRow): IndexEntry => {
    const content: Term = {
      kind: row.kind,
      type: decodeText(row.type),
      parameter: decodeText(row.parameter),
      system: decodeText(row.system),
      code: decodeText(row.code),
    };
    const isSound = is_led_to && termId(content) === term && content.type === type;
    return indexEntryOf(
      isSound ? content : { ...content, parameter: `damaged ${content.type}.${content.parameter}` },
      { from, until },
    );
  };

/** Selects the terms of a record, and whether an entry leads to it by each. */
const termsOfRecord = (rows: Rows) => sql`
  select terms.*, found."from", found."until",
    exists (
      select from ${rows('entries')} as entries
      where entries.term = found.term and entries.record = searchable.record
        and entries.patient_id = searchable.patient_id
    ) as is_led_to
  from (select unnest(searchable.terms) as term, 0 as "from", 0 as "until") as found
  cross join lateral (select * from ${rows('terms')} as terms where terms.term = found.term limit 1) as terms`;

/** Selects the dates of a record, and whether each leads to it. */
const datesOfRecord = (rows: Rows) => sql`
  select terms.*, found."from", found."until",
    exists (
      select from ${rows('dates')} as dates
      where dates.term = found.term and dates."from" = found."from" and dates."until" = found."until"
        and dates.record = searchable.record and dates.patient_id = searchable.patient_id
    ) as is_led_to
  from unnest(searchable.date_terms, searchable.date_from, searchable.date_until) as found (term, "from", "until")
  cross join lateral (select * from ${rows('terms')} as terms where terms.term = found.term limit 1) as terms`;

const createScanStatement = (builder: QueryBuilder, hasProvisional: boolean) => {
  const isVisible = hasProvisional ? sql`true` : sql`position < ${firstProvisionalPosition}`;
  return createStatement<ScanPage, ScanRow>(builder, 'scan', (placeholder) => {
    const after = placeholder('bigint', (page) => page.after);
    const { rows } = placeholder;
    return sql`
      select is_known, page.position, ${patientOf('page')}, page.type, page.id, page.by, page.state,
        coalesce(searchable.version, page.version) as version, coalesce(searchable.at, page.at) as at,
        searchable.resource,
        (select json_agg(indexed)::text from (${termsOfRecord(rows)} union all ${datesOfRecord(rows)}) as indexed) as index
      from (
        select ${after} = 0 or exists (
          select from ${rows('versions')} as versions where position = ${after} and version = 1
        ) as is_known
      ) as beginning
      left join (
        select * from (
          select first.position, versions.patient_id, versions.type, versions.id, versions.version, versions.at,
            versions.by, versions.state,
            ${bytesBefore(sql`octet_length(versions.state) + coalesce(octet_length(versions.resource), 0)`, sql`first.position`)} as bytes_before
          from (
            select * from ${rows('versions')} as versions
            where version = 1 and position > ${after} and ${isVisible}
            order by position
            limit ${placeholder('bigint', ({ limit }) => limit)}
          ) as first
          join ${rows('records')} as records on records.id = first.id and records.type = first.type
          join ${rows('versions')} as versions on versions.position = records.current
        ) as measured
        where bytes_before is null or bytes_before < ${placeholder('bigint', ({ bytes }) => maxOctets(bytes))}
      ) as page on true
      left join ${rows('searchable')} as searchable
        on searchable.patient_id = page.patient_id and searchable.type = page.type
          and searchable.record = page.position
      order by page.position`;
  });
};

/**
 * Reads a range of records with their index entries, all of one moment. The resource and the entries are those that
 * searches use, so that damage shows. With `hasProvisional`, it includes the records that the transaction of the reader
 * has created.
 */
const createScan = (
  builder: QueryBuilder,
  reader: Reader,
  { hasProvisional }: { readonly hasProvisional: boolean },
): ((range: EntryRange) => Promise<Either<StoreError, readonly IndexedRecord[]>>) => {
  const statement = createScanStatement(builder, hasProvisional);
  return async (range) => {
    const after = countAt(range.position);
    if (after === null) return left(unknownPositionError);
    const rows = await reader(statement, { after, limit: Math.max(0, range.limit), bytes: range.bytes });
    if (rows[0]?.is_known !== true) return left(unknownPositionError);
    const records = rows.flatMap((row) =>
      row.position === null
        ? []
        : [
            {
              ...toStoredRecord(row),
              position: countedPosition(row.position),
              index: ((JSON.parse(row.index ?? '[]') ?? []) as readonly IndexRow[]).map(
                toIndexEntry(row.type),
              ),
            },
          ],
    );
    return right(takeEntries(records, range));
  };
};

/** Reads the feed of versions, and the records in the order of their creation. */
type FeedReader = {
  readonly changesSince: (range: FeedRange) => Promise<Either<StoreError, readonly FeedEntry[]>>;
  readonly feedEnd: () => Promise<FeedEnd | null>;
  readonly scan: (range: EntryRange) => Promise<Either<StoreError, readonly IndexedRecord[]>>;
};

/** With `hasProvisional`, the scan includes the records that the transaction of the reader has created. */
export const createFeedReader = (
  builder: QueryBuilder,
  reader: Reader,
  settings: { readonly hasProvisional: boolean },
): FeedReader => ({
  changesSince: createChangesSince(builder, reader),
  feedEnd: createReadFeedEnd(builder, reader),
  scan: createScan(builder, reader, settings),
});
