import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';

const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };

const records = createClinicalRecords({
  store: openSqliteStore({ filename: 'first-care-team.db' }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [cardiologist],
});

// Put the people that a chart refers to into the directory.
await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });

// Every patient has a care team. A practitioner joins it, and it is read as a FHIR resource.
await records.careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', {
  role: cardiologist,
  by: 'Practitioner/12', // who did it, for the history
});
const team = await records.careTeams.read('7');
console.log(team.name);
for (const { member, role } of team.participant ?? []) {
  console.log(`- ${member.display}, ${role?.[0]?.coding[0]?.display}`);
}

// Record what happens in a visit as a command in the chart. This command becomes a goal.
await records.chart.record(
  { kind: 'goal', patientId: '7', description: 'Walk 5 km a day' },
  { by: 'Practitioner/12' },
);
const goals = await records.goals.search({ patient: '7' });
console.log(`${goals.total} of her goals:`);
for (const { resource } of goals.entry ?? []) {
  console.log(`- ${resource.description.text}: ${resource.lifecycleStatus}`);
}

// A change that breaks a rule is refused, with a sentence about the rule.
try {
  await records.careTeams.setParticipantStatus('7', 'Practitioner/99', 'active');
} catch (refused) {
  console.log(String(refused));
}
