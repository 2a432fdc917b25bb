import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, limitConnections, toNodeListener } from '@clinical-records/http-adapter';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../../../bench/data/clinic.ts';
import { calibrate, type EventLoopFigures, watchEventLoop } from '../searches/figures.ts';

/** The figures of the server since the last message to it. */
export type BoundsFigures = EventLoopFigures & {
  /** The CPU time of a loop that is always the same. */
  readonly calibration: number;
};

const [filename = ''] = process.argv.slice(2);

const store = openSqliteStore({ filename });
const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
const doses = 100;

const names = { name: [{ family: 'Byron', given: ['Ada'] }] };
const reference = (to: string) => ({ reference: to });
const patient = { resourceType: 'Patient', id: 'amy', ...names };
const dose = (id: string, fields: object) => ({
  ...{ resourceType: 'Immunization', id, status: 'completed', primarySource: false },
  ...{ occurrenceDateTime: '2026-03-01', patient: reference('Patient/amy') },
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '207' }] },
  ...fields,
});
const longNote = Array.from({ length: 250 }, () => ({ text: 'x'.repeat(1000) }));
await records.importer.load([
  patient,
  ...Array.from({ length: doses }, (_, at) => ({ resourceType: 'Practitioner', id: `d${at}`, ...names })),
  ...Array.from({ length: doses }, (_, at) => ({
    ...{ resourceType: 'Encounter', id: `e${at}`, status: 'finished', subject: reference('Patient/amy') },
  })),
  ...Array.from({ length: doses }, (_, at) =>
    dose(`i${at}`, {
      encounter: reference(`Encounter/e${at}`),
      performer: [{ actor: reference(`Practitioner/d${at}`) }],
    }),
  ),
  ...Array.from({ length: 40 }, (_, at) => dose(`long${at}`, { note: longNote })),
]);

const handler = createHttpHandler(records, {
  authenticate: () => ({ subject: 'Practitioner/d1', scopes: ['user/*.cruds'] }),
  basePath: '/fhir',
});
const server = limitConnections(createServer(toNodeListener(handler)));
const takeFigures = watchEventLoop();

process.on('message', async (message) => {
  if (message === 'feed') for await (const _ of records.changes());
  await setTimeout(5);
  const figures = takeFigures();
  process.send?.({ ...figures, calibration: calibrate() } satisfies BoundsFigures);
  takeFigures();
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
