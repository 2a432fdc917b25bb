import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, limitConnections, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../../../bench/data/clinic.ts';
import { calibrate, type EventLoopFigures, watchEventLoop } from '../searches/figures.ts';

/** The figures of the server since the last request for them. */
export type StreamFigures = EventLoopFigures & {
  /** The resident memory after a garbage collection, in MiB. */
  readonly mebibytes: number;
  /** The CPU time of a loop that is always the same. */
  readonly calibration: number;
};

const [filename = '', charts = '0', recordsPerChart = '0'] = process.argv.slice(2);

const store = openSqliteStore({ filename });
const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
for (let chart = 0; chart < Number(charts); chart += 1) {
  await records.directory.put('Patient', { id: `p${chart}`, lastName: 'Shaw', firstName: `${chart}` });
  const commands = Array.from({ length: Number(recordsPerChart) }, (_, at) =>
    records.chart.record(
      { kind: 'goal', id: `g${chart}-${at}`, patientId: `p${chart}`, description: 'Walk a mile' },
      { by: 'Practitioner/ada' },
    ),
  );
  await Promise.all(commands);
}

const handler = createHttpHandler(records, {
  // The token is the name of the user.
  authenticate: (token) => ({
    subject: `Practitioner/${token}`,
    scopes: ['user/*.rs', 'user/Immunization.c'],
  }),
  basePath: '/fhir',
  events: {},
});
const server = limitConnections(createServer(toNodeListener(handler)));
// The first time, it is not compiled.
calibrate();
const takeFigures = watchEventLoop();

process.on('message', () => {
  const figures = takeFigures();
  const calibration = calibrate();
  global.gc?.();
  const mebibytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
  process.send?.({ ...figures, mebibytes, calibration } satisfies StreamFigures);
  takeFigures();
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
