import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';

/** A role for each process, because one practitioner of a team can have it. */
const roleOf = (id: string) => ({ system: 'https://clinic.example/roles', code: id, display: `Nurse ${id}` });

export const names = ['0', '1', '2', '3'];
export const patients = ['0', '1', '2'];

export const createRecords = (store: ClinicalStore): ClinicalRecords =>
  createClinicalRecords({
    store,
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: names.map(roleOf),
  });

/** Joins the teams of patients whom other processes name and treat at the same time, and sets goals with them. */
export const writeCharts = async (store: ClinicalStore, id: string): Promise<void> => {
  const { directory, careTeams, chart } = createRecords(store);
  const by = `Practitioner/${id}` as const;
  await directory.put('Practitioner', { id, lastName: 'Byron', firstName: id });
  await Promise.all(
    patients.map(async (patientId) => {
      await directory.put('Patient', { id: patientId, lastName: 'Shaw', firstName: id });
      await careTeams.setParticipantStatus(patientId, by, 'active', { role: roleOf(id), by });
      await chart.record({ kind: 'goal', patientId, description: `Walk with ${id}` }, { by });
    }),
  );
};
