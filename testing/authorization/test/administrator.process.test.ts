import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, expect, test, vi } from 'vitest';
import { endAll, newFolder, startServer } from '../../../examples/server/test/running-server.ts';
import { until } from '../../../examples/server/test/until.ts';
import { createKey, startAuthorizationServer } from './authorization-server.ts';
import { requestToken, serviceOf } from './request-token.ts';

afterAll(endAll);

const audience = 'https://clinic.example/fhir';
const printMetrics = pathToFileURL(resolve('packages/http-adapter/test/audit/print-metrics.ts')).href;

/** The example server, as a deployment runs it: it accepts the tokens of an authorization server. */
const deploy = async ({ issuer, jwks }: { readonly issuer: string; readonly jwks: string }) => {
  vi.stubEnv('NODE_OPTIONS', `--import ${printMetrics}`);
  const access = ['--jwks', jwks, '--issuer', issuer, '--audience', audience];
  const operation = ['--audit', '--telemetry', '--log', 'json', '--drain', '1'];
  const server = await startServer([...access, ...operation], await newFolder());
  vi.unstubAllEnvs();
  const { origin } = new URL(server.address);
  const request = async (path: string, token = 'none', headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(origin + path, {
      headers: { authorization: `Bearer ${token}`, ...headers },
    });
    return { status: response.status, json: JSON.parse(await response.text()) };
  };
  return { ...server, request };
};

test('an administrator runs a server, sees who looked at a chart, and replaces it without a lost request', async () => {
  const key = await createKey('ES384');
  const authorization = await startAuthorizationServer(audience, {
    clients: [
      serviceOf('ward-screen', key, 'system/*.rs'),
      serviceOf('privacy-officer', key, 'system/AuditEvent.rs'),
    ],
  });
  const tokenOf = async (client: string, scope: string): Promise<string> =>
    (await requestToken(authorization, client, key, scope)).json.access_token;
  const server = await deploy(authorization);
  const { request } = server;
  expect(await request('/health')).toEqual({ status: 200, json: { status: 'live' } });
  expect(await request('/ready')).toEqual({ status: 200, json: { status: 'ready' } });

  const chart = '/fhir/Goal?patient=demo-patient-1';
  expect((await request(chart)).status).toBe(401);
  const ward = await tokenOf('ward-screen', 'system/*.rs');
  const found = await request(chart, ward, { 'x-request-id': 'walk-1' });
  expect([found.status, found.json.total > 0]).toEqual([200, true]);

  const officer = await tokenOf('privacy-officer', 'system/AuditEvent.rs');
  const looked = await request('/fhir/AuditEvent?patient=demo-patient-1&agent=Device/ward-screen', officer);
  expect(looked.json.entry.map((entry: { resource: unknown }) => entry.resource)).toEqual([
    expect.objectContaining({
      outcome: '0',
      agent: expect.arrayContaining([
        expect.objectContaining({ who: { reference: 'Device/ward-screen' }, requestor: true }),
      ]),
      entity: expect.arrayContaining([
        expect.objectContaining({ what: { identifier: { value: 'walk-1' } } }),
        expect.objectContaining({ what: { reference: 'Patient/demo-patient-1' } }),
      ]),
    }),
  ]);
  expect((await request(chart, officer)).status).toBe(403);

  const lines = server.printed.err.split('\n').filter((line) => line.includes('walk-1'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ route: '/fhir/Goal', status: 200 }]);
  expect(lines.join()).not.toContain('demo-patient');
  await until(() => server.printed.out.includes('clinical_records.request.duration'));

  let answered = 0;
  /** A client of a balancer: it asks whether the server is ready, and then sends a request. */
  const load = async (): Promise<void> => {
    while ((await request('/ready')).status === 200) {
      expect((await request(chart, ward)).status).toBe(200);
      answered += 1;
    }
  };
  const clients = Array.from({ length: 8 }, load);
  await until(() => answered > 50);
  server.signal('SIGTERM');
  await Promise.all(clients);
  expect(await server.ended()).toBe(0);
});
