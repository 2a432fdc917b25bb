/**
 * Mixes rollbacks of a host with POSTs on one handle. Nothing that was reported as 201 may be lost, and everything that
 * a host rolls back must be.
 *
 * node testing/attack/transactions.ts
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { inTransaction, openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';

const rollbacks = 80;
const clients = 32;
/** How long the work of a transaction waits for something else, in milliseconds. */
const openFor = 5;

const folder = mkdtempSync(join(tmpdir(), 'clinical-records-attack-'));
const database = new Database(join(folder, 'clinic.db'));
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec('CREATE TABLE visits (name TEXT)');

const records = createClinicalRecords({
  store: openSqliteStore({ database, prefix: 'clinical_' }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [],
});
await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });

const server = createServer(
  toNodeListener(
    createHttpHandler(records, {
      basePath: '/fhir',
      authenticate: () => ({ subject: 'Practitioner/ada', scopes: ['user/*.*'] }),
      onError: (cause) => console.error(cause),
    }),
  ),
);
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
const { port } = server.address() as AddressInfo;
const agent = new Agent({ keepAlive: true });

const statement = JSON.stringify({
  resourceType: 'Immunization',
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza' }] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '2025-10-01',
  primarySource: false,
});

type PostResult = { readonly status: number; readonly id: string; readonly milliseconds: number };

const post = (): Promise<PostResult> =>
  new Promise((resolve, reject) => {
    const began = performance.now();
    const headers = { authorization: 'Bearer x', 'content-type': 'application/json' };
    const sent = request(
      { host: '127.0.0.1', port, agent, method: 'POST', path: '/fhir/Immunization', headers },
      (response) => {
        response.resume().on('end', () => {
          const id = response.headers.location?.split('/').at(-1) ?? '';
          resolve({ status: response.statusCode ?? 0, id, milliseconds: performance.now() - began });
        });
      },
    );
    sent.on('error', reject);
    sent.end(statement);
  });

let hasEnded = false;

const client = async (): Promise<readonly PostResult[]> => {
  const posted: PostResult[] = [];
  while (!hasEnded) posted.push(await post());
  return posted;
};

const rollBackTransactions = async (): Promise<void> => {
  for (let at = 0; at < rollbacks; at += 1) {
    await inTransaction(database, async (tx) => {
      database.exec("INSERT INTO visits VALUES ('undone')");
      await records.in(tx).chart.record(
        {
          kind: 'labOrder',
          patientId: 'amy',
          code: { coding: [{ system: 'http://loinc.org', code: '718-7', display: 'Hemoglobin' }] },
        },
        { by: 'Practitioner/ada' },
      );
      await setTimeout(openFor);
      throw new Error('the host thinks better of it');
    }).catch(() => {});
  }
  hasEnded = true;
};

const [, ...all] = await Promise.all([rollBackTransactions(), ...Array.from({ length: clients }, client)]);
const posted = all.flat();
const created = posted.filter(({ status }) => status === 201);
const found = new Set<string>();
for await (const { resourceType, id } of records.changes())
  if (resourceType === 'Immunization') found.add(id);
const lost = created.filter(({ id }) => !found.has(id)).length;
const orders = (await records.serviceRequests.search({ _count: '0' })).total;
const visits = Number(database.prepare('SELECT count(*) FROM visits').pluck().get());
const waits = posted.map(({ milliseconds }) => milliseconds).toSorted((a, b) => a - b);

console.log(`transactions that were rolled back: ${rollbacks}, each open for ${openFor} ms and more`);
console.log(`POSTs beside them, of ${clients} clients: ${posted.length}`);
console.log(`answered 201: ${created.length}, of which gone: ${lost}`);
console.log(`answered otherwise: ${posted.length - created.length}`);
console.log(`left of what was rolled back: ${orders} orders, ${visits} rows of the host`);
console.log(
  `longest wait of a POST: ${(waits.at(-1) ?? 0).toFixed(0)} ms, median ${(waits[waits.length >> 1] ?? 0).toFixed(0)} ms`,
);

agent.destroy();
server.close();
database.close();
rmSync(folder, { recursive: true });
if (lost + orders + visits + posted.length - created.length > 0 || created.length === 0) process.exitCode = 1;
