import type { ClinicalRecords } from '@clinical-records/core';

/** Exports all resources as NDJSON. `write` gets one line at a time, for the file of a type. */
export const exportTo = async (
  records: ClinicalRecords,
  write: (file: string, line: string) => void,
): Promise<void> => {
  // #region types
  const { resources } = await records.exporter.begin();
  for await (const { type, json } of resources) write(`${type}.ndjson`, `${json}\n`);
  // #endregion
};

/** The chart of one patient, as far as it has changed, with the practitioners and organizations that it names. */
export const exportChart = async (
  records: ClinicalRecords,
  patientId: string,
  since: Date,
): Promise<readonly string[]> => {
  const { resources } = await records.exporter.begin({ patientIds: [patientId], since });
  const lines: string[] = [];
  for await (const { json } of resources) lines.push(json);
  return lines;
};
