import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../../../bench/data/clinic.ts';
import { calibrate, watchEventLoop } from '../searches/figures.ts';

/** The figures of the server since the last message to it. */
export type EverythingFigures = {
  /** The longest work between two turns, in milliseconds. */
  readonly work: number;
  /** The memory that is in use, above that of the message before, in MiB. */
  readonly memory: number;
  /** The CPU time of a loop that is always the same. */
  readonly calibration: number;
};

const [filename = ''] = process.argv.slice(2);

const store = openSqliteStore({ filename });
const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
const reference = (to: string) => ({ reference: to });
const note = Array.from({ length: 240 }, () => ({ text: 'x'.repeat(1000) }));
const practitioners = Array.from({ length: 20 }, (_, at) => `p${at}`);
await records.importer.load([
  { resourceType: 'Patient', id: 'amy', name: [{ family: 'Byron', given: ['Ada'] }] },
  ...practitioners.map((id) => ({ resourceType: 'Practitioner', id, name: [{ family: 'Byron' }] })),
  ...Array.from({ length: 200 }, (_, at) => ({
    ...{ resourceType: 'Immunization', id: `i${at}`, status: 'completed', primarySource: false },
    ...{ occurrenceDateTime: '2026-03-01', patient: reference('Patient/amy'), note },
    vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207' }] },
    performer: [{ actor: reference(`Practitioner/${practitioners[at % 20]}`) }],
  })),
]);

const handler = createHttpHandler(records, {
  authenticate: () => ({ subject: 'Practitioner/p1', scopes: ['user/*.cruds'] }),
  basePath: '/fhir',
});
const server = createServer(toNodeListener(handler));
const takeFigures = watchEventLoop();

const memoryInUse = (): number => {
  globalThis.gc?.();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 2 ** 20;
};

let before = memoryInUse();
process.on('message', () => {
  // The turn of the last request has ended, and its work is known.
  setTimeout(() => {
    const { longestWork } = takeFigures();
    const memory = memoryInUse();
    const figures = { work: longestWork, memory: memory - before, calibration: calibrate() };
    before = memory;
    process.send?.(figures satisfies EverythingFigures);
    takeFigures();
  }, 5);
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
