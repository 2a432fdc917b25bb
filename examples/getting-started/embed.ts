import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { app, database, findPatient, findStaff, findUser, listen } from './your-backend.ts';

const cardiologist = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };

const records = createClinicalRecords({
  // In your own database, in tables with the prefix. They are as durable as its `synchronous` pragma says.
  store: openSqliteStore({ database, prefix: 'clinical_' }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [cardiologist],
  // Is called when a chart first refers to a person.
  resolve: { Patient: findPatient, Practitioner: findStaff },
});

// Over HTTP. Mount it before any body parser, because the interface reads its bodies itself.
const handler = createHttpHandler(records, {
  basePath: '/fhir',
  authenticate: (token) => {
    const user = findUser(token);
    return user === undefined ? null : { subject: `Practitioner/${user.id}`, scopes: ['user/*.*'] };
  },
  onError: (cause) => console.error(cause),
});
app.use('/fhir', toNodeListener(handler));

// From your own screens, awaited.
await records.careTeams.setParticipantStatus('7', 'Practitioner/12', 'active', {
  role: cardiologist,
  by: 'Practitioner/12', // who did it, for the history
});
const team = await records.careTeams.read('7');
console.log(`${team.name}: ${team.participant?.length} active`);

listen();
