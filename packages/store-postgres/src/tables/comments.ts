import { type RawBuilder, sql } from 'kysely';
import type { Tables } from '../schema.ts';
import type { QueryBuilder } from '../statement.ts';

type Comments = {
  readonly [Name in keyof Tables]: {
    readonly table: string;
    readonly columns: { readonly [Column in keyof Tables[Name]]: string };
  };
};

const tenant = 'Number of the tenant, from tenants.';
const record = 'Position of the first version of the record. It stays, and is the order of creation.';
const patient = "Patient whose chart has the record; '' if it is in none.";
const type = 'Type of the record, such as Immunization, or an internal one such as a note.';
const position =
  'Place of the version in the feed: 1, 2, 3 … From 2^52 on while the transaction of a host is open.';
const term = 'Hash of the content of a term, from terms.';
const committed = 'When the version was committed.';

/** The comments that a database administrator reads beside the tables. */
const comments: Comments = {
  tenants: {
    table:
      'The clinics that share these tables. createTenant adds one, removeTenant removes one with all of its rows.',
    columns: {
      tenant: 'Number by which all rows of the tenant are found. It is never used again.',
      name: 'Name of the tenant. Once it is removed, another one may have it.',
      removed: 'When the tenant was removed; null if it was not.',
    },
  },
  head: {
    table: 'The end of the feed of each tenant. A commit locks its row, and so takes the next positions.',
    columns: {
      tenant,
      position: 'Position of the last version.',
      digest: 'Digest of the last version, and so of all before: SHA-256, in hex.',
      fence: 'Raised to make a transaction fail whose outcome is in doubt, and by each erasure.',
      read_only: 'Whether nothing is committed for the tenant at the moment: see setTenantReadOnly.',
    },
  },
  records: {
    table: 'Every record by its name.',
    columns: {
      tenant,
      type,
      id: 'Id of the record, unique among those of its type.',
      patient_id: patient,
      position: record,
      current: 'Position of the current version.',
      version: 'Number of the current version.',
    },
  },
  versions: {
    table:
      'Every version as it was committed: the feed, and the history of each record. Only an erasure changes a row.',
    columns: {
      tenant,
      position,
      record,
      version: 'Number of the version: 1 for the first of its record.',
      committed,
      patient_id: patient,
      type,
      id: 'Id of the record.',
      by: 'The person who committed the version, such as Practitioner/12; null if that is not known.',
      digest: 'SHA-256 of the version and of the digest before, in hex. records.verify computes it again.',
      state: 'The version in the form from which its resource derives, as JSON.',
      resource: 'The FHIR-style resource as JSON, as it is returned; null if no read returns one.',
    },
  },
  searchable: {
    table:
      'The current resource of each record that has one, with the terms and the dates by which it is found.',
    columns: {
      tenant,
      patient_id: patient,
      type,
      record,
      id: 'Id of the record.',
      current: 'Position of the current version.',
      version: 'Number of the current version.',
      committed,
      resource: 'The FHIR-style resource as JSON, as it is returned.',
      terms: 'Terms of its codes, references and words.',
      date_terms: 'Terms of its dates, one for each interval.',
      date_from: 'Beginnings of these intervals, in milliseconds since 1970.',
      date_until: 'Ends of these intervals, exclusive, in milliseconds since 1970.',
    },
  },
  entries: {
    table: 'The terms of searchable as rows, for searches that name no patient.',
    columns: { tenant, term, record, patient_id: patient },
  },
  dates: {
    table: 'The dates of searchable as rows, for searches that name no patient.',
    columns: {
      tenant,
      term,
      from: 'Beginning of the interval, in milliseconds since 1970.',
      until: 'End of the interval, exclusive, in milliseconds since 1970.',
      record,
      patient_id: patient,
    },
  },
  terms: {
    table: 'The meaning of each term. An erasure deletes those that no record has any more.',
    columns: {
      tenant,
      row_id: 'Key for replication.',
      term: 'Hash of the content, by which other tables name the term. Seldom, two rows have the same.',
      type: 'Type of the records that have the term.',
      kind: 'token, reference, string or date.',
      parameter: 'Search parameter, such as code.',
      system: 'System of a token; type of the record that is referred to.',
      code: 'Code of a token; id of the record that is referred to; word.',
    },
  },
  counts: {
    table: 'How many records of each type have a resource.',
    columns: { tenant, type, readable: 'Number of records.' },
  },
  indexed_parameters: {
    table: 'How the terms and dates of a tenant were made. The first write and records.reindex set it.',
    columns: {
      tenant,
      version: 'Counts the changes, so that a replica shows whether it has them.',
      texts: 'Text of each search parameter, such as Goal.code, that says how all records are indexed by it.',
    },
  },
  host_transactions: {
    table:
      'Open transactions of the host that have written. A deferred trigger gives their versions places at the COMMIT.',
    columns: {
      tenant,
      transaction: 'Id of the transaction.',
      stage: '1 until the deferred constraints of the host have run, then 2.',
      first: 'First position of what the transaction has written for the tenant.',
    },
  },
  migrations: {
    table: 'Steps of the schema that have been made.',
    columns: { version: 'Version of the schema that the step has made.' },
  },
};

/** The statements that write a comment beside each table and column. */
export const createComments = ({ schema, table }: QueryBuilder): readonly RawBuilder<unknown>[] =>
  Object.entries(comments).flatMap(([name, { table: comment, columns }]) => [
    sql`comment on table ${table(name as keyof Tables)} is ${sql.lit(comment)}`,
    ...Object.entries(columns).map(
      ([column, text]) => sql`comment on column ${sql.id(schema, name, column)} is ${sql.lit(text)}`,
    ),
  ]);
