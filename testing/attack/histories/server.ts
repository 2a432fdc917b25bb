import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../../../bench/data/clinic.ts';
import { calibrate, watchEventLoop } from '../searches/figures.ts';

/** The figures of the server since the last message to it. */
export type HistoryFigures = {
  /** The longest work between two turns, in milliseconds. */
  readonly work: number;
  /** The most memory that the process had meanwhile, above what it had at the last message, in MiB. */
  readonly memory: number;
  /** The CPU time of a loop that is always the same. */
  readonly calibration: number;
};

const [filename = '', members = '', versions = ''] = process.argv.slice(2);

const ids = Array.from({ length: Number(members) }, (_, at) => `p${at}`);
const roles = ids.map((id) => ({ system: 'https://clinic.example/roles', code: id, display: `Nurse ${id}` }));
const store = openSqliteStore({ filename });
const records = createClinicalRecords({ store, extensionBase, careTeamRoles: roles });
const name = [{ family: 'Byron', given: ['Ada'] }];
await records.importer.load([
  { resourceType: 'Patient', id: 'amy', name },
  ...ids.map((id) => ({ resourceType: 'Practitioner', id, name })),
]);
const participants = ids.map((id, at) => ({
  role: [{ coding: roles.slice(at, at + 1) }],
  member: { reference: `Practitioner/${id}` as const },
}));
// Somebody joins and leaves again and again: each time, the whole team is a version.
for (let version = 2; version <= Number(versions); version += 1) {
  const participant = version % 2 === 0 ? participants.slice(1) : participants;
  await records.careTeams.update('amy', { id: 'amy', participant }, { by: 'Practitioner/p1' });
}

const handler = createHttpHandler(records, {
  authenticate: () => ({ subject: 'Practitioner/p1', scopes: ['user/*.cruds'] }),
  basePath: '/fhir',
});
const server = createServer(toNodeListener(handler));
const takeFigures = watchEventLoop();

const inMebibytes = (bytes: number): number => bytes / 2 ** 20;

/** The memory of the process is sampled, because a garbage collector hides how much was in use at once. */
let largest = 0;
const sample = (): void => {
  largest = Math.max(largest, process.memoryUsage.rss());
  setTimeout(sample, 1).unref();
};
sample();

let before = process.memoryUsage.rss();
process.on('message', () => {
  // The turn of the last request has ended, and its work is known.
  setTimeout(() => {
    const { longestWork } = takeFigures();
    const figures = { work: longestWork, memory: inMebibytes(largest - before), calibration: calibrate() };
    globalThis.gc?.();
    before = process.memoryUsage.rss();
    largest = before;
    process.send?.(figures satisfies HistoryFigures);
    takeFigures();
  }, 5);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
