import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { connect } from 'node:http2';
import { request } from 'node:https';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { endAll, newFolder } from '../running-server.ts';
import { serveHere, token } from '../serve-here.ts';
import { until } from '../until.ts';
import { nginx, startNginx } from './start-nginx.ts';

afterAll(endAll);

const baseUrl = 'https://clinic.example/fhir';

type Proxy = Awaited<ReturnType<typeof startNginx>>;
type Headers = Readonly<Record<string, string>>;

const authorization = `Bearer ${token}`;

const statementOfAmy = {
  status: 'completed',
  vaccineCode: { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '03' }] },
  patient: { reference: 'Patient/amy' },
  occurrenceDateTime: '2001',
  primarySource: false,
};

/** Sends a request by HTTP/2 and TLS. */
const sendByHttp2 = async ({ port, ca }: Proxy, path: string, headers: Headers = {}) => {
  const session = connect(`https://127.0.0.1:${port}`, { ca, servername: 'clinic.example' });
  onTestFinished(() => session.destroy());
  const stream = session.request({
    ':path': path,
    ':authority': 'clinic.example',
    authorization,
    ...headers,
  });
  const [answer] = await once(stream, 'response');
  const sent = await buffer(stream);
  const body = answer['content-encoding'] === 'gzip' ? gunzipSync(sent) : sent;
  const [status, alpn] = [answer[':status'], session.alpnProtocol];
  return { status, headers: answer, size: sent.length, body: body.toString(), alpn };
};

/** Sends a request on a connection of its own. */
const send = async ({ port, ca }: Proxy, method: string, path: string, body = '', headers: Headers = {}) => {
  const sent = request({
    ...{ host: '127.0.0.1', servername: 'clinic.example', port, ca, agent: false, method, path },
    headers: { authorization, 'content-type': 'application/json', ...headers },
  });
  sent.end(body);
  const [answer] = await once(sent, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
};

describe.skipIf(!existsSync(nginx))('behind nginx', () => {
  test('clients use TLS and HTTP/2, and the URLs of responses are those of the proxy, whatever they send', async () => {
    const { origin } = await serveHere({
      baseUrl,
      usCore: true,
      organization: { reference: 'Organization/1' },
    });
    const proxy = await startNginx([origin]);
    const forged = {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'http',
      'x-request-id': 'mine',
    };
    const page = await sendByHttp2(proxy, '/fhir/CareTeam?patient=amy', forged);
    expect([page.status, page.alpn]).toEqual([200, 'h2']);
    const urls = JSON.parse(page.body).link.map(({ url }: { readonly url: string }) => url);
    expect(urls).toEqual(
      Array(3).fill(expect.stringMatching(/^https:\/\/clinic\.example\/fhir\/CareTeam\?/)),
    );
    expect(page.headers['strict-transport-security']).toBe('max-age=31536000');
    // The id is one of nginx, and is in its log, which has neither the query nor the id of the patient.
    const id = page.headers['x-request-id'];
    expect(id).toMatch(/^[0-9a-f]{32}$/);
    expect(await sendByHttp2(proxy, '/fhir/Goal', { authorization: 'Bearer other' })).toMatchObject({
      status: 401,
    });
    const log = await proxy.log();
    expect(log).toContain(` ${id} GET 200 `);
    expect(log).not.toMatch(/amy|token/);
    for (const path of ['/ready', '/health']) expect(await send(proxy, 'GET', path)).toBe(404);
  });

  test('the chart, the docs and the guide are served, and the chart reads with a token', async () => {
    const { origin } = await serveHere({ baseUrl });
    const proxy = await startNginx([origin]);
    const chart = await sendByHttp2(proxy, '/', { authorization: '' });
    expect(chart).toMatchObject({ status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } });
    const links = Array.from(chart.body.matchAll(/(?:href|src)="(\/[^"#]*)"/g), ([, path = '']) => path);
    expect(links).toEqual(expect.arrayContaining(['/chart/chart.js', '/docs', '/fhir/openapi.json']));
    for (const path of [...links, '/guide/']) {
      expect([path, (await sendByHttp2(proxy, path, { authorization: '' })).status]).toEqual([path, 200]);
    }
    const settings = await sendByHttp2(proxy, '/chart/settings.json', { authorization: '' });
    // The page asks at its own origin.
    const { basePath } = JSON.parse(settings.body);
    expect((await sendByHttp2(proxy, `${basePath}/CareTeam/amy`)).status).toBe(200);
    expect((await sendByHttp2(proxy, '/demo-session', { authorization: '' })).status).toBe(404);
  });

  test('responses that are not small are compressed for clients that accept gzip', async () => {
    const principal = { subject: 'Device/research', scopes: 'system/*.cruds' } as const;
    const access = { _tag: 'PrintedToken', grant: { token, principal } } as const;
    const { origin } = await serveHere({ baseUrl, access, bulkExport: await newFolder() });
    const proxy = await startNginx([origin]);
    const statement = { ...statementOfAmy, note: [{ text: 'Said by her mother. '.repeat(100) }] };
    await send(proxy, 'POST', '/fhir/Immunization', JSON.stringify(statement));
    const gzip = { 'accept-encoding': 'gzip' };
    const isCompressed = async (path: string, type: string) => {
      const whole = await sendByHttp2(proxy, path, { accept: type });
      const compressed = await sendByHttp2(proxy, path, { accept: type, ...gzip });
      expect([whole, compressed].map(({ headers }) => headers['content-type'])).toEqual([type, type]);
      expect(compressed.body).toBe(whole.body);
      return compressed.headers['content-encoding'] === 'gzip' && compressed.size < whole.size / 3;
    };
    for (const type of ['application/fhir+json', 'application/json']) {
      expect(await isCompressed('/fhir/Immunization?patient=amy', type)).toBe(true);
      expect(await isCompressed('/fhir/Goal/none', type)).toBe(false);
    }

    const begun = await sendByHttp2(proxy, '/fhir/$export?_type=Immunization', { prefer: 'respond-async' });
    const location = new URL(String(begun.headers['content-location'])).pathname;
    let manifest = '';
    await until(async () => {
      manifest = (await sendByHttp2(proxy, location)).body;
      return manifest !== '';
    });
    const file = new URL(JSON.parse(manifest).output[0].url).pathname;
    expect(await isCompressed(file, 'application/fhir+ndjson')).toBe(true);
  });

  test('a server of two is replaced under load, and no request fails', async () => {
    const data = { _tag: 'File', filename: join(await newFolder(), 'clinic.db') } as const;
    const [one, two] = [await serveHere({ data, baseUrl }), await serveHere({ data, baseUrl })];
    const proxy = await startNginx([one.origin, two.origin]);
    const statuses: unknown[] = [];
    let isOver = false;
    const statement = JSON.stringify(statementOfAmy);
    const client = async (): Promise<void> => {
      while (!isOver && statuses.length < 190) {
        statuses.push(await send(proxy, 'POST', '/fhir/Immunization', statement));
      }
    };
    const clients = Array.from({ length: 4 }, client);
    const answered = async (count: number) => {
      while (statuses.length < count) await setImmediate();
    };
    await answered(20);
    await proxy.takeOut(one.origin);
    one.stop();
    await one.drain();
    await answered(statuses.length + 20);
    isOver = true;
    await Promise.all(clients);
    expect(statuses).toEqual(statuses.map(() => 201));
    const found = await (await two.send('/fhir/Immunization?patient=amy&_count=0')).text();
    expect(JSON.parse(found).total).toBe(statuses.length);
  });

  test('requests of one token are limited, and those of another are not', async () => {
    const { origin } = await serveHere({ baseUrl });
    const slow = (conf: string) => conf.replace('rate=100r/s', 'rate=1r/m').replace('burst=200', 'burst=3');
    const proxy = await startNginx([origin], slow);
    const statuses = [];
    for (let sent = 0; sent < 5; sent += 1) statuses.push(await send(proxy, 'GET', '/fhir/Goal'));
    expect(statuses).toEqual([200, 200, 200, 200, 429]);
    expect(await send(proxy, 'GET', '/fhir/Goal', '', { authorization: 'Bearer other' })).toBe(401);
  });
});
