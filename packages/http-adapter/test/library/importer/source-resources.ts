/** Resources of another system, each with as little as it needs: the rest is given. */

/** The parts of a name such as `Hill`, or `Eve Hill`. */
const humanName = (name: string) => {
  const given = name.split(' ');
  const family = given.pop();
  return [{ family, ...(given.length > 0 && { given }) }];
};

export const sourcePatient = (id: string, name = 'Hill', rest: object = {}) => ({
  resourceType: 'Patient',
  id,
  name: humanName(name),
  ...rest,
});

export const sourcePractitioner = (id: string, name = 'Hill', rest: object = {}) => ({
  resourceType: 'Practitioner',
  id,
  name: humanName(name),
  ...rest,
});

/** When the source changed something: of a night in January, before the present of the clinic. */
export const night = (day: number) => ({ meta: { lastUpdated: `2026-01-0${day}T02:00:00Z` } });

export const sourceEncounter = (id: string, patientId: string, rest: object = {}) => ({
  resourceType: 'Encounter',
  id,
  subject: { reference: `Patient/${patientId}` },
  ...rest,
});

export const sourceCareTeam = (patientId: string, participant: readonly object[], rest: object = {}) => ({
  resourceType: 'CareTeam',
  id: 't',
  subject: { reference: `Patient/${patientId}` },
  participant,
  ...rest,
});

export const sourceGoal = (patientId: string, rest: object = {}) => ({
  resourceType: 'Goal',
  id: 'g',
  lifecycleStatus: 'active',
  description: { text: 'Walk' },
  subject: { reference: `Patient/${patientId}` },
  ...rest,
});

export const sourceImmunization = (patientId: string, rest: object = {}) => ({
  resourceType: 'Immunization',
  id: 'i',
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: { reference: `Patient/${patientId}` },
  occurrenceDateTime: '2012-02-08',
  ...rest,
});

export const sourceOrder = (patientId: string, rest: object = {}) => ({
  resourceType: 'ServiceRequest',
  id: 's',
  status: 'active',
  intent: 'order',
  category: [{ coding: [{ system: 'http://snomed.info/sct', code: '108252007' }] }],
  code: { coding: [{ system: 'http://loinc.org', code: '718-7' }] },
  subject: { reference: `Patient/${patientId}` },
  authoredOn: '2026-02-01',
  ...rest,
});
