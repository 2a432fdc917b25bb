import { createClinicalRecords, orThrow } from '@clinical-records/core';
import { createMemoryStore } from '@clinical-records/store-memory';

const records = createClinicalRecords({
  store: createMemoryStore(),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [{ system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' }],
});

await orThrow(records.directory.putPatient({ id: '7', lastName: 'Shaw', firstName: 'Amy' }));
await orThrow(records.directory.putPractitioner({ id: '12', lastName: 'Byron', firstName: 'Ada' }));
await orThrow(
  records.chart.record({ kind: 'goal', patientId: '7', description: 'Walk 5 km a day' }, { by: '12' }),
);
const goals = await orThrow(records.goals.search({ patient: '7' }));
console.log(`${goals.total} of her goals`);
