/** Resources of another system, each with as little as it needs: the rest is given. */

export const foreignGoal = (patientId: string, rest: object) => ({
  resourceType: 'Goal',
  id: 'g',
  description: { text: 'Walk' },
  subject: { reference: `Patient/${patientId}` },
  ...rest,
});

export const foreignImmunization = (patientId: string, rest: object) => ({
  resourceType: 'Immunization',
  id: 'i',
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: { reference: `Patient/${patientId}` },
  ...rest,
});

export const foreignOrder = (patientId: string, rest: object) => ({
  resourceType: 'ServiceRequest',
  id: 's',
  intent: 'order',
  category: [{ coding: [{ system: 'http://snomed.info/sct', code: '108252007' }] }],
  code: { coding: [{ system: 'http://loinc.org', code: '718-7' }] },
  subject: { reference: `Patient/${patientId}` },
  ...rest,
});
