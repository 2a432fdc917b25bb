import { createClinicalRecords } from '@clinical-records/core';
import { createHttpHandler, type HttpHandlerOptions, toFetch } from '@clinical-records/http-adapter';
import { createMemoryStore } from '@clinical-records/store-memory';
import { type Client, createClient } from '../src/index.ts';

const baseUrl = 'https://clinic.example/fhir';
const nurse = { system: 'http://snomed.info/sct', code: '224535009', display: 'Registered nurse' };

/** A request does not arrive, its response is lost, or it gets another response. */
type Fault = 'request' | 'response' | Response;

/** A server with two patients, and clients whose connections the test disturbs. */
export const openServer = async ({
  hasEvents = true,
  ...options
}: Partial<HttpHandlerOptions> & { readonly hasEvents?: boolean } = {}) => {
  const records = createClinicalRecords({
    store: createMemoryStore(),
    extensionBase: 'https://clinic.example/fhir/extensions',
    careTeamRoles: [nurse],
  });
  await records.directory.put('Patient', { id: 'amy', lastName: 'Shaw', firstName: 'Amy' });
  await records.directory.put('Patient', { id: 'ben', lastName: 'Okoro', firstName: 'Ben' });
  await records.directory.put('Practitioner', { id: 'ada', lastName: 'Byron', firstName: 'Ada' });
  await records.directory.put('Practitioner', { id: 'bob', lastName: 'Gray', firstName: 'Bob' });
  await records.directory.put('Organization', { id: 'lab', name: 'Lab Ltd' });
  await records.directory.put('Encounter', { id: 'visit', patientId: 'amy' });
  const handler = createHttpHandler(records, {
    authenticate: (token) =>
      token === 'old'
        ? null
        : { subject: `Practitioner/${token}`, scopes: 'user/*.cruds user/Correction.cr' },
    basePath: '/fhir',
    chartCommands: true,
    corrections: true,
    ...(hasEvents && { events: { interval: 1 } }),
    ...options,
  });
  const respond = toFetch(handler);
  const requests: {
    readonly method: string;
    readonly path: string;
    readonly headers: Headers;
    readonly body: string;
  }[] = [];
  /** The faults of the next requests. */
  const faults: (Fault | null)[] = [];

  const fetchWithFaults: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    const { method, url, headers } = request;
    requests.push({ method, path: url.slice(baseUrl.length), headers, body: await request.clone().text() });
    const fault = faults.shift() ?? null;
    if (fault === 'request') throw new TypeError('fetch failed');
    if (fault instanceof Response) return fault;
    const response = await respond(request);
    if (fault !== 'response') return response;
    await response.body?.cancel();
    throw new TypeError('terminated');
  };
  const connect = (token = 'ada', more: Partial<Parameters<typeof createClient>[0]> = {}): Client =>
    createClient({ baseUrl, getToken: () => token, fetch: fetchWithFaults, ...more });
  return { records, handler, requests, faults, fetch: fetchWithFaults, connect, client: connect() };
};

export const statement = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '2025-10-01',
  primarySource: false,
} as const;

export const all = async <A>(items: AsyncIterable<A>): Promise<readonly A[]> => {
  const found: A[] = [];
  for await (const item of items) found.push(item);
  return found;
};

export const temporary = (status: number, retryAfter?: string): Response =>
  new Response(
    '{"resourceType":"OperationOutcome","issue":[{"severity":"error","code":"transient","diagnostics":"Later."}]}',
    {
      status,
      headers: retryAfter === undefined ? {} : { 'retry-after': retryAfter },
    },
  );
