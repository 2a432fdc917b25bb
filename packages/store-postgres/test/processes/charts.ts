import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import type { ClinicalStore } from '@clinical-records/core/store';

/** A role for each process, because one practitioner of a team can have it. */
const roleOf = (id: string) => ({ system: 'https://clinic.example/roles', code: id, display: `Nurse ${id}` });

/** The clinic of the charts, in the tables in which the processes also write as another one. */
export const chartsTenant = 'charts';
export const names = ['0', '1', '2', '3'];
export const patients = ['0', '1', '2'];

/** The records of a process whose clock is so many hours ahead. */
export const createRecords = (store: ClinicalStore, hours = 0): ClinicalRecords =>
  createClinicalRecords({
    store,
    clock: () => new Date(Date.now() + hours * 3_600_000),
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: names.map(roleOf),
  });

/**
 * Joins the teams of patients whom other processes name and treat at the same time, and sets goals with them. The clock of each
 * process is another hour ahead.
 */
export const writeCharts = async (store: ClinicalStore, id: string): Promise<void> => {
  const { directory, careTeams, chart } = createRecords(store, Number(id));
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
