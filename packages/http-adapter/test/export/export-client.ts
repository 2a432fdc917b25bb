import { setImmediate } from 'node:timers/promises';
import { expect } from 'vitest';
import {
  type BulkExportOptions,
  createHttpHandler,
  type HttpHandlerOptions,
  type OperationOutcome,
  type Principal,
} from '../../src/index.ts';
import type { Clinic } from '../clinic.ts';

export const baseUrl = 'https://clinic.example/fhir';
export const respondAsync = { prefer: 'respond-async', accept: 'application/fhir+json' };
export const service: Principal = {
  subject: 'Device/warehouse',
  scopes: ['system/*.read'],
  client: 'warehouse',
};

/** Keeps files in memory. `gate` is awaited before each file is written. */
export const createFiles = (gate: () => Promise<void> = async () => {}) => {
  const texts = new Map<string, string>();
  const files: BulkExportOptions['files'] = {
    write: async (id, name, text) => {
      await gate();
      texts.set(`${id}/${name}`, text);
    },
    read: async (id, name) => texts.get(`${id}/${name}`) ?? null,
    remove: async (id) => {
      for (const key of texts.keys()) if (key.startsWith(`${id}/`)) texts.delete(key);
    },
  };
  return { texts, files };
};

type Sent = {
  readonly as?: Principal | null;
  readonly headers?: Record<string, string>;
  readonly body?: object;
};

/** Sends requests for exports to a new handler. */
export const openExports = (
  clinic: Clinic,
  bulkExport: Partial<BulkExportOptions> = {},
  {
    records = clinic.records,
    ...options
  }: Partial<HttpHandlerOptions> & { records?: Clinic['records'] } = {},
) => {
  const { texts, files } = createFiles();
  let sender: Principal | null = service;
  const handler = createHttpHandler(records, {
    ...{ basePath: '/fhir', baseUrl, authenticate: () => sender },
    ...{ bulkExport: { files, ...bulkExport }, ...options },
  });
  const send = async (method: string, url: string, { as = service, headers = {}, body }: Sent = {}) => {
    sender = as;
    const response = await handler({
      ...{ method, url: url.replace('https://clinic.example', '') },
      headers: {
        ...(as !== null && { authorization: 'Bearer t' }),
        ...(body && { 'content-type': 'application/fhir+json' }),
        ...headers,
      },
      body: body && JSON.stringify(body),
    });
    const isJson = response.headers['content-type']?.endsWith('json') === true && response.body !== '';
    const isLines = response.headers['content-type'] === 'application/fhir+ndjson';
    return { ...response, json: isJson && !isLines ? JSON.parse(response.body) : null };
  };
  const begin = async (path: string, sent: Sent = {}) =>
    send(sent.body === undefined ? 'GET' : 'POST', `/fhir${path}`, {
      ...sent,
      headers: { ...respondAsync, ...sent.headers },
    });
  /** Waits until an export has ended. */
  const end = async (path: string, sent: Sent = {}) => {
    const { headers } = await begin(path, sent);
    const location = headers['content-location'] ?? '';
    const as = sent.as ?? service;
    let status = await send('GET', location, { as });
    while (status.status === 202) {
      await setImmediate();
      status = await send('GET', location, { as });
    }
    return { location, status, manifest: status.json };
  };
  /** The names of the exported resources. */
  const exported = async (path: string, sent: Sent = {}) => {
    const { manifest } = await end(path, sent);
    const names: string[] = [];
    for (const { url, type, count } of manifest.output) {
      const lines = (await send('GET', url)).body.trimEnd().split('\n');
      const resources = lines.map((line) => JSON.parse(line));
      expect(resources).toHaveLength(count);
      expect(new Set(resources.map(({ resourceType }) => resourceType))).toEqual(new Set([type]));
      names.push(...resources.map(({ id }) => `${type}/${id}`));
    }
    return names.toSorted();
  };
  return { send, begin, end, exported, texts };
};

/** The status, the rule and the sentence of a refusal. */
export const refusalOf = ({ status, json }: { readonly status: number; readonly json: OperationOutcome }) => {
  const [{ details, diagnostics }] = json.issue as readonly [OperationOutcome['issue'][number]];
  return [status, details.coding[0].code, diagnostics] as const;
};
