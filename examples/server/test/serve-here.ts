import { onTestFinished } from 'vitest';
import type { DataLocation } from '../open/data-location.ts';
import { useRecords } from '../open/use-records.ts';
import { serveSite } from '../serve/serve-site.ts';
import type { Site } from '../serve/site.ts';

export const token = 'token-of-the-test';

const memory: DataLocation = { _tag: 'File', filename: ':memory:' };

const site: Site = {
  ...{ data: memory, host: '127.0.0.1', port: 0, isPortShared: false, basePath: '/fhir', baseUrl: null },
  ...{
    corsOrigins: null,
    defaultReturn: 'minimal',
    hasDemo: false,
    organization: null,
    usCore: false,
    log: 'text',
    telemetry: false,
    audit: false,
    mcp: false,
    corrections: false,
    drain: 0,
    bulkExport: undefined,
    groups: undefined,
  },
  access: { _tag: 'PrintedToken', grant: { token, principal: { subject: 'Person/x', scopes: 'user/*.*' } } },
};

/** Serves the chart of Amy in this process until `stop` is called, and then until `drain` is. */
export const serveHere = async (changes: Partial<Site> = {}) => {
  const stopping = new AbortController();
  const drain = Promise.withResolvers<void>();
  const listening = Promise.withResolvers<string>();
  const whole = { ...site, ...changes };
  const serveRecords: Parameters<typeof useRecords<void>>[1] = async (records, store, auditLog) => {
    await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
    const serving = {
      signal: stopping.signal,
      onListening: listening.resolve,
      drained: () => drain.promise,
    };
    await serveSite({ store, auditLog }, whole, serving);
  };
  const ended = useRecords(whole.data, serveRecords, { hasAudit: whole.audit });
  onTestFinished(async () => {
    stopping.abort();
    drain.resolve();
    await ended;
  });
  const origin = await Promise.race([listening.promise, ended.then(() => '')]);
  return {
    origin,
    stop: () => stopping.abort(),
    drain: async () => {
      drain.resolve();
      await ended;
    },
    send: (path: string, init: RequestInit = {}) =>
      fetch(`${origin}${path}`, {
        ...init,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...init.headers },
      }),
  };
};
