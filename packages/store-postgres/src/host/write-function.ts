import { type RawBuilder, sql } from 'kysely';
import { createStatement, type QueryBuilder, type SqlType, type Statement } from '../statement.ts';
import { encodeText } from '../text.ts';
import type { PreparedCommit } from '../write/prepared-commit.ts';
import { insertTerms, type NewTerm, termLists, termsOf } from '../write/term-writer.ts';
import {
  type DigestedVersion,
  type ListColumn,
  versionLists,
  versionsFrom,
} from '../write/write-statement.ts';
import type { CurrentTransaction } from './open-transaction.ts';
import { provisionalWrite } from './provisional-versions.ts';

/** A write of a commit in a transaction of the host. */
export type JoinedWrite = {
  /** The id of the transaction; null if `selectTransaction` was sent before. */
  readonly transaction: string | null;
  /** How many milliseconds it waits for a lock. */
  readonly wait: number;
  readonly expectations: PreparedCommit['expectations'];
  /** The version that each of these records must have, 0 if it must not exist, or null for any. */
  readonly expected: readonly (number | null)[];
  readonly versions: readonly DigestedVersion[];
};

/** A parameter of the function: its name, its type, and how it is read. */
type Parameter = readonly [name: string, type: SqlType, read: (write: JoinedWrite) => unknown];

const listsOf = <Item>(
  prefix: string,
  lists: readonly ListColumn<Item>[],
  itemsOf: (write: JoinedWrite) => readonly Item[],
): readonly Parameter[] =>
  lists.map(([name, type, read]) => [`${prefix}_${name}`, type, (write) => itemsOf(write).map(read)]);

const versionParameters = listsOf<DigestedVersion>('new', versionLists, ({ versions }) => versions);

// Terms that are not committed yet are not remembered.
const termParameters = listsOf<NewTerm>('own', termLists, ({ versions }) => termsOf(versions));

/** The parameters after the schema and the tenant. */
const parameters: readonly Parameter[] = [
  ['own_transaction', 'text', ({ transaction }) => transaction],
  ['longest_wait', 'bigint', ({ wait }) => wait],
  ['named_types', 'text[]', ({ expectations }) => expectations.map(({ type }) => encodeText(type))],
  ['named_ids', 'text[]', ({ expectations }) => expectations.map(({ id }) => encodeText(id))],
  ['expected', 'integer[]', ({ expected }) => expected],
  ['changed', 'integer', ({ expectations }) => expectations.filter(({ version }) => version !== null).length],
  ...termParameters,
  ...versionParameters,
];

const variables = (list: readonly Parameter[]) => list.map(([name]) => sql.raw(name));

const functionName = 'write_in_transaction';

/** The function with the types of its parameters, as `grant` names it. */
export const writeFunction = ({ schema }: Pick<QueryBuilder, 'schema'>): RawBuilder<unknown> =>
  sql`${sql.id(schema, functionName)}(${sql.raw(['text', 'integer', ...parameters.map(([, type]) => type)].join())})`;

const clinic = sql.raw<number>('clinic');

/**
 * The body of the function that writes a commit in a transaction of the host, or says why it does not. It never raises an error, so
 * that the transaction goes on, and waits for a lock no longer than the host has allowed.
 *
 * It locks all records that the commit names, and guards those that may not exist: a guard is a row that is removed at once, so that
 * nobody sees it. Others that insert the same key wait anyway, because the transaction may still be undone. All calls lock in the same
 * order, so that no two of them wait for each other, unless their transactions have locked others before.
 */
const createBody = (builder: QueryBuilder): RawBuilder<unknown> => {
  const own = { ...builder, table: (name: string) => sql.id(name) };
  const versions = versionsFrom(variables(versionParameters));
  const next = sql<number>`nextval('provisional_positions')`;
  const write = provisionalWrite(own, clinic, versions, next, { hasNext: true });
  return sql`
declare
  answer jsonb := jsonb_build_object(
    'id', pg_current_xact_id()::text, 'isolation', current_setting('transaction_isolation')
  );
  former_lock_timeout text := current_setting('lock_timeout');
  ref record;
  actual integer[];
  code text;
  is_read_only boolean;
begin
  if answer->>'isolation' <> 'read committed'
    or answer->>'id' is distinct from coalesce(own_transaction, current_setting('clinical_records.joined', true))
  then return answer || '{"result": "elsewhere"}'; end if;
  perform set_config('search_path', format('pg_catalog, %I, pg_temp', own_schema), true);
  perform set_config('clinical_records.tenant', clinic::text, true);
  select read_only into is_read_only from head where tenant = clinic;
  if not found then return answer || '{"result": "removed"}'; end if;
  if is_read_only and changed > 0 then return answer || '{"result": "read-only"}'; end if;
  begin
    perform set_config('lock_timeout', least(longest_wait,
      nullif(extract(epoch from former_lock_timeout::interval) * 1000, 0))::bigint::text, true);

    insert into records (tenant, type, id, patient_id, position, current, version)
    select clinic, type, id, '', 0, 0, 0 from unnest(named_types, named_ids) as named (type, id)
    order by id collate "C", type collate "C"
    on conflict do nothing;
    delete from records using unnest(named_types, named_ids) as named (type, id)
    where records.tenant = clinic and records.id = named.id and records.type = named.type and records.version = 0;
    for ref in
      select type, id, bool_or(n <= changed) as is_changed
      from unnest(named_types, named_ids) with ordinality as given (type, id, n)
      group by type, id order by id collate "C", type collate "C"
    loop
      if ref.is_changed
      then perform from records where tenant = clinic and id = ref.id and type = ref.type for no key update;
      else perform from records where tenant = clinic and id = ref.id and type = ref.type for share;
      end if;
    end loop;
    select array_agg(coalesce(records.version, 0) order by named.n) into actual
    from unnest(named_types, named_ids) with ordinality as named (type, id, n)
    left join records on records.tenant = clinic and records.id = named.id and records.type = named.type;

    if exists (select from unnest(expected, actual) as version (expected, actual) where version.expected <> version.actual)
    then
      answer := answer || jsonb_build_object('result', 'conflict', 'actual', actual);
    else
      answer := answer || '{"result": "written"}';
      if changed > 0 then
        ${insertTerms(own, clinic, variables(termParameters), sql`(select * from terms where tenant = clinic)`)};
        ${write} select '' into code;
      end if;
    end if;
    perform set_config('lock_timeout', former_lock_timeout, true);
    return answer;
  exception when query_canceled or others then
    get stacked diagnostics code = returned_sqlstate;
    return answer || jsonb_build_object('result', 'failed', 'code', code, 'message', sqlerrm);
  end;
end`;
};

/**
 * The statements that create the function. It runs as the user who calls it, and finds the tables by the name of their schema, which
 * can be renamed.
 */
export const createWriteFunction = (builder: QueryBuilder): readonly RawBuilder<unknown>[] => {
  const list = ['own_schema text', 'clinic integer', ...parameters.map(([name, type]) => `${name} ${type}`)];
  const body = createBody(builder).compile(builder.db).sql;
  return [
    sql`create function ${sql.id(builder.schema, functionName)}(${sql.raw(list.join(', '))}) returns jsonb
      language plpgsql
      set search_path = pg_catalog, pg_temp
      set jit = off
      set plan_cache_mode = force_generic_plan
      as ${sql.lit(body)}`,
    sql`revoke all on function ${writeFunction(builder)} from public`,
  ];
};

/** The result of a write, and the transaction in which it was tried. */
export type WriteAnswer = CurrentTransaction &
  (
    | { readonly result: 'written' | 'removed' | 'read-only' | 'elsewhere' }
    /** The versions that the records have instead, 0 of one that does not exist. They are locked. */
    | { readonly result: 'conflict'; readonly actual: readonly number[] }
    /** The SQLSTATE and the message of PostgreSQL. */
    | { readonly result: 'failed'; readonly code: string; readonly message: string }
  );

/** Creates the statement that calls the function. Its only row has a `WriteAnswer` as JSON. */
export const createWriteCall = (builder: QueryBuilder): Statement<JoinedWrite, { readonly answer: string }> =>
  createStatement<JoinedWrite, { readonly answer: string }>(builder, 'commit', (placeholder) => {
    const values = parameters.map(([, type, read]) => placeholder(type, read));
    const sent = [sql.lit(builder.schema), placeholder.tenant(), ...values];
    return sql`select ${sql.id(builder.schema, functionName)}(${sql.join(sent)})::text as answer`;
  });
