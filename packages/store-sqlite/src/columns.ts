/** The columns of each version, in `records` and in `superseded`. */
export const versionColumns = ['version', 'patient_id', 'at', 'by', 'state', 'resource', 'digest'] as const;

/** The columns of a version, from the table that has it; `superseded` is joined to its record. */
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

/** The same columns with the digest that each version has in the feed. */
export const recordFeedColumns = [...recordColumns, 'records.digest'] as const;
export const supersededFeedColumns = [...supersededColumns, 'superseded.digest'] as const;
