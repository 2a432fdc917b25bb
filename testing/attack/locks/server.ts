import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createAuditLog, createClinicalRecords, type OnAccess } from '@clinical-records/core';
import {
  createHttpHandler,
  type HttpHandler,
  limitConnections,
  toNodeListener,
} from '@clinical-records/http-adapter';
import { openSqliteAuditStore, openSqliteStore } from '@clinical-records/store-sqlite';
import { extensionBase } from '../../../bench/data/clinic.ts';
import { calibrate, type EventLoopFigures, watchEventLoop } from '../searches/figures.ts';

/** The figures of the server since the last request for them. */
export type LockFigures = EventLoopFigures & { readonly mebibytes: number; readonly calibration: number };

const [filename = '', busyTimeout = '5000'] = process.argv.slice(2);

const store = openSqliteStore({ filename, busyTimeout: Number(busyTimeout) });
const audit = createAuditLog({ store: openSqliteAuditStore({ store }) });
const serve = (basePath: string, options: { readonly onAccess?: OnAccess }): HttpHandler =>
  createHttpHandler(createClinicalRecords({ store, extensionBase, careTeamRoles: [], ...options }), {
    authenticate: () => ({ subject: 'Practitioner/ada', scopes: ['user/*.rs', 'user/Immunization.c'] }),
    basePath,
  });
const records = createClinicalRecords({ store, extensionBase, careTeamRoles: [] });
await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });

/** The same records twice: with and without an audit. Other paths are answered as `/health` is. */
const plain = serve('/plain', {});
const audited = serve('/audited', { onAccess: audit.onAccess });
const handler: HttpHandler = Object.assign(
  async (request: Parameters<HttpHandler>[0]) => {
    if (request.url.startsWith('/plain/')) return plain(request);
    if (request.url.startsWith('/audited/')) return audited(request);
    return { status: 200, headers: {}, body: 'live' };
  },
  { bodyLimit: plain.bodyLimit },
);

// The first time, it is not compiled.
calibrate();
const takeFigures = watchEventLoop();

process.on('message', () => {
  const figures = takeFigures();
  const calibration = calibrate();
  const mebibytes = Math.round(process.memoryUsage.rss() / 2 ** 20);
  process.send?.({ ...figures, mebibytes, calibration } satisfies LockFigures);
  takeFigures();
});
const server = limitConnections(createServer(toNodeListener(handler)));
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
