import type { ClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';

export const moveGoal = async (records: ClinicalRecords) => {
  // #region move
  const correction = await records.corrections.moveToPatient({
    resourceType: 'Goal',
    resourceId: 'walk',
    toPatientId: 'ben',
    by: 'Practitioner/ada',
    reason: 'Two charts were open.',
  });
  // #endregion
  return correction;
};

export const mergeAmy = async (records: ClinicalRecords) => {
  const correction = await records.corrections.mergePatients({
    patientId: 'amy',
    toPatientId: 'ben',
    by: 'Practitioner/ada',
    reason: 'Registered twice.',
  });
  return correction;
};

export const eraseAmy = async (records: ClinicalRecords) => {
  const correction = await records.corrections.erase({
    resourceType: 'Patient',
    resourceId: 'amy',
    by: 'Practitioner/ada',
    reason: 'The patient asked for it.',
  });
  return correction;
};

/** Copies the records into a new file, until the signal says that nothing writes to them any more. */
export const copyIntoFreshFile = async (
  records: ClinicalRecords,
  filename: string,
  follow: AbortSignal,
): Promise<void> => {
  // #region fresh-file
  const fresh = openSqliteStore({ filename });
  await records.copyTo(fresh, { follow, onProgress: (versions) => console.info(`${versions} versions`) });
  await fresh.close();
  // #endregion
};

/** Erases each patient whose chart was last changed before a time in ISO 8601 and UTC. Returns their ids. */
export const eraseUnchangedSince = async (
  { changes, corrections }: ClinicalRecords,
  time: string,
): Promise<readonly string[]> => {
  // #region retention
  const lastChanges = new Map<string, string>();
  for await (const { patientId, at, isErased } of changes()) {
    if (patientId === null) continue;
    if (isErased) lastChanges.delete(patientId);
    else lastChanges.set(patientId, at);
  }
  const patients = [...lastChanges].filter(([, at]) => at < time).map(([patientId]) => patientId);
  for (const resourceId of patients) {
    await corrections.erase({
      ...{ resourceType: 'Patient', resourceId },
      ...{ by: 'Device/retention', reason: 'The retention period is over.' },
    });
  }
  // #endregion
  return patients;
};
