import {
  type ClinicalRecords,
  type ClinicalStore,
  createClinicalRecords,
  type ResourceChange,
} from '@clinical-records/core';

const role = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };
const by = 'Practitioner/12';

/** A clinic whose care teams change. */
export type Clinic = {
  readonly records: ClinicalRecords;
  /** Makes one more version of the care team of a patient. */
  readonly changeTeam: (patientId: string) => Promise<void>;
  readonly changes: () => Promise<readonly ResourceChange[]>;
};

export const openClinic = async (store: ClinicalStore, patientIds: readonly string[]): Promise<Clinic> => {
  const records = createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir',
    careTeamRoles: [role],
  });
  await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
  for (const id of patientIds)
    await records.directory.put('Patient', { id, lastName: 'Shaw', firstName: 'Amy' });
  const active = new Set<string>();
  return {
    records,
    changeTeam: async (patientId) => {
      const status = active.delete(patientId) ? 'suspended' : 'active';
      if (status === 'active') active.add(patientId);
      await records.careTeams.setParticipantStatus(patientId, by, status, { role, by });
    },
    changes: async () => {
      const all: ResourceChange[] = [];
      for await (const change of records.changes()) all.push(change);
      return all;
    },
  };
};
