import { createClinicalRecords } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';

const records = createClinicalRecords({
  store: createMemoryStore(),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [{ system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' }],
});

await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
await records.chart.record(
  { kind: 'goal', patientId: '7', description: 'Walk 5 km a day' },
  { by: 'Practitioner/12' },
);
const goals = await records.goals.search({ patient: '7' });
console.log(`${goals.total} of her goals`);
