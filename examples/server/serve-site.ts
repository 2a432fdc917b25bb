import { once } from 'node:events';
import type { ClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, toNodeListener } from '@clinical-records/http-adapter';
import { createAuthenticate } from './access/create-authenticate.ts';
import { createHostResources } from './host-resources.ts';
import { serve } from './serve.ts';
import type { Site } from './site.ts';
import { usCoreCapabilities } from './us-core.ts';
import { withWebsite } from './web/website.ts';

const onError = (cause: unknown) => console.error(new Date().toISOString(), cause);

type Serving = {
  readonly signal: AbortSignal;
  /** Receives the origin, such as `http://127.0.0.1:3000`. */
  readonly onListening: (origin: string) => void;
};

/** Serves the records over HTTP until the signal comes and all requests in flight have their responses. */
export const serveSite = async (
  records: ClinicalRecords,
  site: Site,
  { signal, onListening }: Serving,
): Promise<void> => {
  const { basePath, corsOrigins, defaultReturn, access } = site;
  const authenticate = createAuthenticate(access, signal);
  const createListener = (origin: string) => {
    const handler = createHttpHandler(records, {
      ...{ authenticate, basePath, baseUrl: `${origin}${basePath}`, onError, defaultReturn },
      ...{ hostResources: createHostResources(records, site), capabilities: usCoreCapabilities },
      ...(corsOrigins !== null && {
        // Some clients ask for credentials with each request, though only the token counts here.
        cors: { origins: corsOrigins, credentials: corsOrigins !== '*' },
      }),
    });
    return toNodeListener(withWebsite(handler, site));
  };
  const { origin, stop } = await serve(createListener, site);
  onListening(origin);
  if (!signal.aborted) await once(signal, 'abort');
  await stop();
};
