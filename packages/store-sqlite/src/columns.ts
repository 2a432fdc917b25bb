/** What is kept of each version, in `records` as in `superseded`. */
export const versionColumns = ['version', 'patient_id', 'at', 'by', 'state', 'resource', 'digest'] as const;

/** A version of a record, from the table in which it stands; `superseded` is joined to its record. */
const columnsOf = <Table extends 'records' | 'superseded'>(table: Table) =>
  [
    'records.type',
    'records.id',
    `${table}.patient_id as patientId`,
    `${table}.version`,
    `${table}.at`,
    `${table}.by`,
    `${table}.resource`,
    `${table}.state`,
  ] as const;

export const recordColumns = columnsOf('records');
export const supersededColumns = columnsOf('superseded');

/** The same as in the feed, in which each version has its digest. */
export const recordFeedColumns = [...recordColumns, 'records.digest'] as const;
export const supersededFeedColumns = [...supersededColumns, 'superseded.digest'] as const;
