import { createServer } from 'node:http';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';

// A server on a file, which the test kills and starts again.

const [, , file = '', port = ''] = process.argv;
const records = createClinicalRecords({
  store: openSqliteStore({ filename: file }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
for (const id of ['lab', 'home']) await records.directory.put('Organization', { id, name: id });
const handler = createHttpHandler(records, {
  authenticate: () => ({ subject: 'Device/client', scopes: 'user/*.cruds' }),
  basePath: '/fhir',
  events: { interval: 10, secret: 'the secret of each start' },
});
createServer(toNodeListener(handler)).listen(Number(port), '127.0.0.1', () =>
  process.stdout.write('listening\n'),
);
