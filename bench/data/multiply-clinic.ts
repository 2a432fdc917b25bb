import type { Client } from 'pg';
import { recordsPerPatient } from './clinic.ts';

/** The number of records of the clinic that is multiplied, all of the same number of encounters and patients of each kind. */
export const recordsOfClinic = 10_008;

const patients = recordsOfClinic / recordsPerPatient;
const encounters = recordsOfClinic / 3;

const tables = ['versions', 'records', 'searchable', 'entries', 'dates'] as const;

/** The id that a record of the clinic has in copy `k`, such as that of the patients who come after those of the other copies. */
const shiftedId = (id: string) => `case
  when ${id} ~ '^patient-\\d+$' then 'patient-' || (substr(${id}, 9)::bigint + k * ${patients})
  when ${id} ~ '^encounter-\\d+$' then 'encounter-' || (substr(${id}, 11)::bigint + k * ${encounters})
  when ${id} ~ '^(immunization|servicerequest)-\\d+$'
    then split_part(${id}, '-', 1) || '-' || (split_part(${id}, '-', 2)::bigint + k * ${recordsOfClinic})
  when ${id} = '' then ''
  else ${id} || '-' || k end`;

/** A text with the ids of the record and its patient in the copy. */
const shiftedText = (text: string) => `replace(replace(replace(${text},
  '"' || id || '"', '"' || new_id || '"'), '"' || patient_id || '"', '"' || new_patient || '"'),
  'Patient/' || patient_id || '"', 'Patient/' || new_patient || '"')`;

const statements = (from: string, to: string, versions: number): readonly string[] => {
  const shift = (name: string) => `${name} + k * ${versions}`;
  const named = (table: string) => `(
    select source.*, k, ${shiftedId('id')} as new_id, ${shiftedId('patient_id')} as new_patient
    from ${from}.${table} as source cross join generate_series($1::bigint, $2::bigint) as k
  ) as copied order by k`;
  const led = (table: string) =>
    `${from}.${table} as source cross join generate_series($1::bigint, $2::bigint) as k order by k`;
  return [
    `insert into ${to}.versions (tenant, position, record, version, committed, patient_id, type, id, by, digest, state, resource)
      select tenant, ${shift('position')}, ${shift('record')}, version, committed, new_patient, type, new_id, by, digest,
        ${shiftedText('state')}, ${shiftedText('resource')} from ${named('versions')}, position`,
    `insert into ${to}.records (tenant, type, id, patient_id, position, current, version)
      select tenant, type, new_id, new_patient, ${shift('position')}, ${shift('current')}, version from ${named('records')}`,
    `insert into ${to}.searchable
        (tenant, record, current, patient_id, type, id, version, committed, resource, terms, date_terms, date_from, date_until)
      select tenant, ${shift('record')}, ${shift('current')}, new_patient, type, new_id, version, committed,
        ${shiftedText('resource')}, terms, date_terms, date_from, date_until from ${named('searchable')}, record`,
    `insert into ${to}.entries (tenant, term, record, patient_id)
      select tenant, term, ${shift('record')}, ${shiftedId('patient_id')} from ${led('entries')}`,
    `insert into ${to}.dates (tenant, term, record, "from", "until", patient_id)
      select tenant, term, ${shift('record')}, "from", "until", ${shiftedId('patient_id')} from ${led('dates')}`,
  ];
};

/** The constraints and indexes of the tables: how each is removed, and created again. */
const readIndexes = async (client: Client, schema: string) => {
  const { rows } = await client.query<{ readonly remove: string; readonly create: string }>(
    `select case when conname is null then format('drop index %I.%I', nspname, relname)
        else format('alter table %s drop constraint %I', indrelid::regclass, conname) end as remove,
      case when conname is null then pg_get_indexdef(indexrelid)
        else format('alter table %s add constraint %I %s', indrelid::regclass, conname, pg_get_constraintdef(pg_constraint.oid)) end as create
    from pg_index join pg_class on pg_class.oid = indexrelid
      join pg_namespace on pg_namespace.oid = relnamespace and nspname = $1
      left join pg_constraint on conindid = indexrelid and contype = 'p'
    where indrelid = any($2::regclass[])`,
    [schema, tables.map((table) => `${schema}.${table}`)],
  );
  return rows;
};

/**
 * Fills the empty tables of a schema with so many copies of the clinic in another one, under other ids. It is far faster than
 * an import. The digests are not those of the copies, so `verify` would report them.
 */
export const multiplyClinic = async (
  client: Client,
  { from, to, copies }: { readonly from: string; readonly to: string; readonly copies: number },
): Promise<void> => {
  const { rows } = await client.query(`select position::integer as versions from ${from}.head`);
  const { versions } = rows[0];
  const indexes = await readIndexes(client, to);
  for (const { remove } of indexes) await client.query(remove);
  for (let first = 0; first < copies; first += 20) {
    for (const text of statements(from, to, versions)) {
      await client.query(text, [first, Math.min(copies, first + 20) - 1]);
    }
  }
  for (const { create } of indexes) await client.query(create);
  await client.query(`insert into ${to}.terms select * from ${from}.terms`);
  await client.query(
    `insert into ${to}.counts select tenant, type, readable * ${copies} from ${from}.counts`,
  );
  await client.query(`update ${to}.head set position = ${versions * copies}, digest = repeat('0', 64)`);
};
