import { readFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { fileURLToPath } from 'node:url';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';

// Prints as JSON the files of packages/*/src in which each request calls a function, and its calls of exported functions.

const role = { system: 'http://snomed.info/sct', code: '17561000', display: 'Cardiologist' };
const by = 'Practitioner/12';
const records = createClinicalRecords({
  store: openSqliteStore({ filename: ':memory:' }),
  extensionBase: 'https://clinic.example/extensions',
  careTeamRoles: [role],
});
const handle = createHttpHandler(records, {
  basePath: '/fhir',
  authenticate: () => ({ subject: by, scopes: ['user/*.*'] }),
});

const send = async (method: string, path: string, body?: object): Promise<void> => {
  const { status } = await handle({
    method,
    url: `/fhir/${path}`,
    headers: { authorization: 'Bearer token', 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (status >= 300) throw new Error(`${method} ${path}: ${status}`);
};

await records.directory.put('Patient', { id: '7', lastName: 'Shaw', firstName: 'Amy' });
await records.directory.put('Practitioner', { id: '12', lastName: 'Byron', firstName: 'Ada' });
const goal = await records.chart.record({ kind: 'goal', patientId: '7', description: 'Walk' }, { by });

const team = {
  resourceType: 'CareTeam',
  id: '7',
  participant: [{ role: [{ coding: [role] }], member: { reference: by } }],
};
const dose = {
  resourceType: 'Immunization',
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140', display: 'Influenza' }] },
  patient: { reference: 'Patient/7' },
  occurrenceDateTime: '2024-10-02',
  primarySource: false,
};
const createLine = () => ({
  resourceType: 'Goal',
  id: crypto.randomUUID(),
  lifecycleStatus: 'active',
  description: { text: 'Run' },
  subject: { reference: 'Patient/7' },
});

const requests: Readonly<Record<string, () => Promise<unknown>>> = {
  'GET /Goal/{id}': () => send('GET', `Goal/${goal.resourceId}`),
  'GET /Goal?patient=': () => send('GET', 'Goal?patient=Patient/7'),
  'GET /CareTeam/{id}': () => send('GET', 'CareTeam/7'),
  'PUT /CareTeam/{id}': () => send('PUT', 'CareTeam/7', { ...team, participant: [] }),
  'POST /Immunization': () => send('POST', 'Immunization', dose),
  'an imported line': async () => {
    const { issues } = await records.importer.load([createLine()]);
    if (issues.length > 0) throw new Error(JSON.stringify(issues));
  },
};

// The first request of each kind prepares its statements.
await send('PUT', 'CareTeam/7', team);
for (const request of Object.values(requests)) await request();
await send('PUT', 'CareTeam/7', team);

const session = new Session();
session.connect();
await session.post('Profiler.enable');
await session.post('Profiler.startPreciseCoverage', { callCount: true });

/** The functions that a file exports, by which its parts call each other. Those within a part are its own. */
const exportedBy = (url: string): ReadonlySet<string | undefined> => {
  const text = readFileSync(fileURLToPath(url), 'utf8');
  return new Set(
    Array.from(text.matchAll(/^export (?:const|(?:async )?function\*?) (\w+)/gm), ([, name]) => name),
  );
};

type Entered = { readonly files: readonly string[]; readonly calls: number };

/** The files in which a function was called since the last look, and the calls. The module itself begins at 0. */
const takeEntered = async (): Promise<Entered> => {
  const { result } = await session.post('Profiler.takePreciseCoverage');
  const files: string[] = [];
  let calls = 0;
  for (const { url, functions } of result) {
    const [, file] = /\/packages\/([^/]+\/src\/.*)$/.exec(url) ?? [];
    const called = functions.filter(
      ({ ranges: [range] }) => range && range.count > 0 && range.startOffset > 0,
    );
    if (file === undefined || called.length === 0) continue;
    files.push(file);
    const exported = exportedBy(url);
    for (const { functionName, ranges } of called)
      if (exported.has(functionName)) calls += ranges[0]?.count ?? 0;
  }
  return { files, calls };
};

const entered: Record<string, Entered> = {};
for (const [name, request] of Object.entries(requests)) {
  await takeEntered();
  await request();
  entered[name] = await takeEntered();
}
console.log(JSON.stringify(entered));
process.exit();
