import type { ImmunizationCreateBody } from '@clinical-records/core';

/** A row of the host's table of visits. */
export type Visit = { readonly id: string; readonly patient: string };

/** A dose that was given elsewhere, as the patient has said in a visit. */
export const doseOf = ({ id, patient }: Visit): ImmunizationCreateBody => ({
  resourceType: 'Immunization',
  status: 'completed',
  primarySource: false,
  patient: { reference: `Patient/${patient}` },
  encounter: { reference: `Encounter/${id}` },
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207' }] },
  occurrenceDateTime: '2026-02-01',
});

export const toEncounter = ({ id, patient }: Visit) => ({ id, patientId: patient });
