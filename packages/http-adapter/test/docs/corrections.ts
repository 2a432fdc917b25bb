import type { ClinicalRecords } from '@clinical-records/core';

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
  // #region merge
  const correction = await records.corrections.mergePatients({
    patientId: 'amy',
    toPatientId: 'ben',
    by: 'Practitioner/ada',
    reason: 'Registered twice.',
  });
  // #endregion
  return correction;
};
