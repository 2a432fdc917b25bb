/** What is kept of each version, in `records` as in `superseded`. */
export const versionColumns = ['version', 'patient_id', 'at', 'by', 'state', 'resource'] as const;

/** A record's current version. */
export const recordColumns = [
  'records.type',
  'records.id',
  'records.patient_id as patientId',
  'records.version',
  'records.at',
  'records.by',
  'records.resource',
  'records.state',
] as const;

/** The same of a version that was superseded, joined to its record. */
export const supersededColumns = [
  'records.type',
  'records.id',
  'superseded.patient_id as patientId',
  'superseded.version',
  'superseded.at',
  'superseded.by',
  'superseded.resource',
  'superseded.state',
] as const;
