import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, limitConnections, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../../../bench/data/clinic.ts';
import { watchEventLoop } from './figures.ts';

const [filename = ''] = process.argv.slice(2);

const store = openSqliteStore({ filename });
// A zone with daylight saving time, in which reading dates costs the most.
const timeZone = 'America/New_York';
const records = createClinicalRecords({ store, extensionBase, timeZone, careTeamRoles: [] });
const handler = createHttpHandler(records, {
  authenticate: () => ({ subject: 'Practitioner/1', scopes: ['user/*.rs'] }),
  basePath: '/fhir',
});
// Listens in the same way as the example server.
const server = limitConnections(createServer(toNodeListener(handler)));

const takeFigures = watchEventLoop();

process.on('message', () => process.send?.(takeFigures()));
process.once('SIGTERM', async () => {
  server.close();
  await store.close();
  process.exit(0);
});
server.listen(0, '127.0.0.1', () =>
  process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
);
