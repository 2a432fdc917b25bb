type PatientId = 'kit' | 'smart' | 'medplum';

/** An immunization that a patient reports. */
export const immunizationOf = (patient: PatientId) => ({
  resourceType: 'Immunization' as const,
  status: 'completed' as const,
  vaccineCode: {
    coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza, seasonal' }],
  },
  patient: { reference: `Patient/${patient}` as const },
  occurrenceDateTime: '2025-10-01',
  primarySource: false,
});

/** A participant of a care team. */
export const ada = {
  role: [{ coding: [{ system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' }] }],
  member: { reference: 'Practitioner/ada' },
};
