import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { createClient } from '@clinical-records/client';
import { createTestRecords } from '@clinical-records/core/testing';
import { createHttpHandler, toFetch, toNodeListener } from '@clinical-records/http-adapter';
import { stores } from './stores.mjs';

// Serves a clinic on the store that is named, with the server of the runtime. A client records a dose, finds it, and is told of it.

const store = await stores[process.argv[2]]();
const { records } = createTestRecords({ store });
await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
const handler = createHttpHandler(records, {
  basePath: '/fhir',
  events: { interval: 10 },
  authenticate: (token) => (token === 'ada' ? { subject: 'Practitioner/12', scopes: ['user/*.*'] } : null),
});

const listen = async () => {
  const settings = { port: 0, hostname: '127.0.0.1' };
  if ('Bun' in globalThis) return globalThis.Bun.serve({ ...settings, fetch: toFetch(handler) }).port;
  if ('Deno' in globalThis) return globalThis.Deno.serve(settings, toFetch(handler)).addr.port;
  const server = createServer(toNodeListener(handler)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return server.address().port;
};

const client = createClient({
  baseUrl: `http://127.0.0.1:${await listen()}/fhir`,
  getToken: () => 'ada',
});
const changes = [];
const leaving = new AbortController();
const watching = client.watch('7', (change) => changes.push(change), { signal: leaving.signal });
while (changes.length === 0) await setTimeout(10);

const dose = await client.create('Immunization', {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: { reference: 'Patient/7' },
  occurrenceDateTime: '2025-10-02',
  primarySource: false,
});
const found = await client.searchPage('Immunization', { patient: '7', date: '2025-10' });
assert.deepEqual([found.total, found.resources[0].id], [1, dose.id]);
assert.equal((await client.read('CareTeam', '7')).name, 'Care Team for Shaw, Amy');
while (changes.length === 1) await setTimeout(10);
assert.deepEqual(changes, [
  { kind: 'read', types: null },
  { kind: 'version', resourceType: 'Immunization', id: dose.id, version: 1 },
]);
leaving.abort();
await watching;
assert.deepEqual((await records.verify()).discrepancies, []);
process.exit();
