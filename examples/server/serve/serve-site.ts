import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import type { AuditLog } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { instrumentHandler, instrumentStore } from '@clinical-records/http-adapter/telemetry';
import { createAuthenticate } from '../access/create-authenticate.ts';
import { createDemoSessions } from '../access/demo-session.ts';
import { demoUsers } from '../demo/demo-users.ts';
import { createSiteExport } from '../export/export-folder.ts';
import { createServerRecords } from '../open/use-records.ts';
import { withAgents } from '../web/agents.ts';
import { type ServedStore, withHealth } from '../web/health.ts';
import { logRequests } from '../web/log-requests.ts';
import { withWebsite } from '../web/website.ts';
import { createHostResources } from './host-resources.ts';
import { createLog } from './log.ts';
import { serve } from './serve.ts';
import type { Site } from './site.ts';
import { capabilitiesOf } from './us-core.ts';
import { warnOfUndefinedTypes } from './warn-of-types.ts';

type Serving = {
  readonly signal: AbortSignal;
  /** Receives the origin, such as `http://127.0.0.1:3000`. */
  readonly onListening: (origin: string) => void;
  /** Resolves when new connections may be refused after the signal. Default: after the `drain` of the site. */
  readonly drained?: () => Promise<unknown>;
};

/**
 * Serves the records over HTTP until the signal comes and all requests in flight have their responses. Between the
 * signal and the end of the drain, it is not ready, and still accepts connections of clients that do not know it yet.
 */
export const serveSite = async (
  {
    store,
    auditLog,
  }: {
    readonly store: ServedStore;
    readonly auditLog?: AuditLog | undefined;
  },
  site: Site,
  { signal, onListening, drained = () => setTimeout(site.drain * 1000) }: Serving,
): Promise<void> => {
  const { basePath, corsOrigins, defaultReturn, access, organization, usCore } = site;
  const log = createLog(site.log);
  if (site.telemetry) instrumentStore(store, { queues: store.queues ?? {} });
  const records = createServerRecords(store, {
    usCore,
    ...(organization !== null && { organization }),
    ...(auditLog !== undefined && { onAccess: auditLog.onAccess }),
  });
  // Each request says it if the store cannot be read.
  void warnOfUndefinedTypes(records, log).catch(() => {});
  const authenticate = createAuthenticate(access, { signal, log: log.sentence, baseUrl: site.baseUrl });
  const sessions = createDemoSessions(
    demoUsers(site),
    access._tag === 'PrintedToken' ? access.grant.token : '',
  );
  const bulkExport = await createSiteExport(site);
  const createListener = (origin: string) => {
    const handler = createHttpHandler(records, {
      ...{ authenticate, authenticateSession: sessions.authenticate, defaultReturn },
      ...{ basePath, baseUrl: site.baseUrl ?? `${origin}${basePath}` },
      links: usCore ? 'absolute' : 'relative',
      ...{ hostResources: createHostResources(records, site), capabilities: capabilitiesOf(site) },
      events: { signal, ...(site.eventSecret !== undefined && { secret: site.eventSecret }) },
      chartCommands: true,
      corrections: site.corrections || site.hasDemo,
      ...(auditLog !== undefined && { auditLog }),
      ...(bulkExport !== null && { bulkExport }),
      onError: (cause, { requestId }) => log.error(cause, requestId),
      ...(corsOrigins !== null && {
        // Some clients ask for credentials with each request, though only the token counts here.
        cors: { origins: corsOrigins, credentials: corsOrigins !== '*' },
      }),
    });
    const logAgents = (cause: Error) => log.error(cause, '/mcp');
    const served = site.mcp ? withAgents(handler, site, { origin, onError: logAgents }) : handler;
    const whole = withHealth(withWebsite(served, site, sessions), { store, stopping: signal });
    const logged = site.log === 'json' ? logRequests(whole, log) : whole;
    return toNodeListener(site.telemetry ? instrumentHandler(logged) : logged);
  };
  const { origin, stop } = await serve(createListener, site, signal);
  onListening(origin);
  if (!signal.aborted) await once(signal, 'abort');
  await drained();
  await stop();
};
