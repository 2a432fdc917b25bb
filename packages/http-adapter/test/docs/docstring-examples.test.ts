import { globSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { stripTypeScriptTypes } from 'node:module';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import * as core from '@clinical-records/core';
import * as coreAdapter from '@clinical-records/core/adapter';
import { retired } from '@clinical-records/core/define-resource';
import * as fpTs from '@clinical-records/core/fp-ts';
import * as rules from '@clinical-records/core/rules';
import * as testing from '@clinical-records/core/testing';
import * as memory from '@clinical-records/store-memory';
import * as sqlite from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import * as E from 'fp-ts/lib/Either.js';
import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { expect, test } from 'vitest';
import { allergy } from '../../../../examples/conditions/allergy.ts';
import * as adapter from '../../src/index.ts';
import * as jwt from '../../src/jwt.ts';
import * as mcp from '../../src/mcp.ts';
import * as telemetry from '../../src/telemetry.ts';
import * as webhooks from '../../src/webhooks.ts';

/** Stores on PostgreSQL, tools of others, the contracts and the client have tests of their own, which need them. */
const elsewhere = /store-postgres|store-contract|packages\/client|tools\.ts$/;

const root = fileURLToPath(new URL('../../../../', import.meta.url));

const exampleOf = (docstring: string): string | undefined =>
  /@example\n([\s\S]*)\*\/$/.exec(docstring)?.[1]?.replaceAll(/^\s*\* ?/gm, '');

const examples = globSync('packages/*/src/**/*.ts', { cwd: root })
  .filter((file) => !elsewhere.test(file))
  .toSorted()
  .flatMap((file) =>
    Array.from(readFileSync(`${root}${file}`, 'utf8').matchAll(/\/\*\*[\s\S]*?\*\//g), ([docstring]) => {
      const code = exampleOf(docstring) ?? '';
      return { place: `${file}: ${code.split('\n')[0]}`, code };
    }),
  )
  .filter(({ code }) => code !== '');

/** A server that does not listen, because its port may be in use. */
const createSilentServer = (listener: RequestListener) => {
  const server = createServer(listener);
  return Object.assign(server, { listen: () => server });
};

/** The names that examples take as given, in a clinic with a patient, a practitioner and a goal. */
const createScope = async () => {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE visits (dose TEXT, time TEXT)');
  const store = sqlite.openSqliteStore({ database });
  const { records } = testing.createTestRecords({ store });
  await records.directory.put('Patient', testing.buildPatient());
  await records.directory.put('Practitioner', testing.buildPractitioner());
  const by = 'Practitioner/12';
  await records.chart.record(testing.buildGoal(), { by });
  const audit = core.createAuditLog({ store: memory.createMemoryAuditStore() });
  const authenticate = () => null;
  const patient = JSON.stringify({ resourceType: 'Patient', id: '8', name: [{ family: 'Roe' }] });
  return {
    ...{
      ...core,
      ...coreAdapter,
      ...fpTs,
      ...rules,
      ...testing,
      ...memory,
      ...adapter,
      ...jwt,
      ...mcp,
      ...telemetry,
      ...webhooks,
      ...sqlite,
    },
    ...{ E, TE, pipe, database, store, records, by, audit, authenticate },
    handler: adapter.createHttpHandler(records, { authenticate }),
    openSqliteStore: () => sqlite.openSqliteStore({ filename: ':memory:' }),
    createServer: createSilentServer,
    createReadStream: () => Readable.from([`${patient}\n`]),
    console: { log: () => {}, error: () => {} },
    allergy,
    retired,
    consent: core.defineExtension({ url: 'urn:consent', on: 'Immunization', value: 'boolean' }),
    dose: { resourceType: 'Immunization', id: '1' },
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [],
    body: testing.buildDose(),
    form: testing.buildDose(),
    order: testing.buildOrder(),
    goalRecord: { commands: [] },
    closeButton: {},
    insertVisit: database.prepare("INSERT INTO visits VALUES (?, '09:00')"),
    insertAppointment: database.prepare('INSERT INTO visits VALUES (?, ?)'),
    ...{ patientId: '7', time: '10:00', text: patient, others: [], clientSecret: 'secret' },
    thrown: await records.goals.read('none').catch((error: unknown) => error),
    response: { status: () => ({ json: () => {} }) },
    stop: { signal: AbortSignal.abort() },
    secret: `whsec_${'A'.repeat(32)}`,
    queue: {
      position: async () => undefined,
      add: async () => {},
      nextDueAt: async () => null,
      due: async () => [],
      save: async () => {},
    },
  };
};

test.each(examples)('an example runs: $place', async ({ code }) => {
  const scope = await createScope();
  const body = code.replace('export default', 'const module =');
  const call = stripTypeScriptTypes(`(async () => {\n${body}\n})()`);
  const run = new Function(...Object.keys(scope), `return ${call}`);
  await expect(run(...Object.values(scope)).then(() => 'done')).resolves.toBe('done');
});
