import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createTestRecords } from '@clinical-records/core/testing';
import { createHttpHandler, toFetch, toNodeListener } from '@clinical-records/http-adapter';
import { stores } from './stores.mjs';

// Serves a clinic on the store that is named, with the server of the runtime, and is its client: it records a dose and finds it.

const store = await stores[process.argv[2]]();
const { records } = createTestRecords({ store });
await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
const handler = createHttpHandler(records, {
  basePath: '/fhir',
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

const base = `http://127.0.0.1:${await listen()}/fhir`;
const send = (path, init = {}) =>
  fetch(base + path, { ...init, headers: { authorization: 'Bearer ada', 'content-type': 'application/json' } });

const created = await send('/Immunization', {
  method: 'POST',
  body: JSON.stringify({
    status: 'completed',
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
    patient: { reference: 'Patient/7' },
    occurrenceDateTime: '2025-10-02',
    primarySource: false,
  }),
});
assert.equal(created.status, 201);
const found = await send('/Immunization?patient=7&date=2025-10');
assert.equal((await found.json()).total, 1);
const team = await send('/CareTeam/7');
assert.equal((await team.json()).name, 'Care Team for Shaw, Amy');
assert.deepEqual((await records.verify()).discrepancies, []);
process.exit();
