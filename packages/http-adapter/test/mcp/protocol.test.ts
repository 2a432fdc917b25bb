import { createMemoryStore } from '@clinical-records/store-memory';
import {
  discoverOAuthProtectedResourceMetadata,
  extractWWWAuthenticateParams,
} from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import type { HttpHandler, HttpHandlerOptions, Principal } from '../../src/index.ts';
import { createMcpHandler, type McpOptions } from '../../src/mcp.ts';
import { goal, withoutId } from '../builders.ts';
import { createHandler, createRecords, openClinic } from '../clinic.ts';
import { agent, authenticate, mcpOptions, serveAgents } from './agent.ts';

const handlerOf = (options: Partial<HttpHandlerOptions> = {}) =>
  createHandler(createRecords(), { authenticate, chartCommands: true, ...options });

const open = (options: Partial<McpOptions> = {}, handler: HttpHandler = handlerOf()) =>
  createMcpHandler(handler, { ...mcpOptions, ...options });

const meta = {
  _meta: {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  },
};

const message = (method: string, params: object = meta) => ({ jsonrpc: '2.0', id: 1, method, params });

type Sent = {
  readonly body?: unknown;
  readonly method?: string;
  readonly url?: string;
  readonly token?: string | null;
  readonly headers?: Readonly<Record<string, string>>;
};

const send = async (
  mcp: HttpHandler,
  { body = message('tools/list'), method = 'POST', url = '/mcp', token = 'ada', headers = {} }: Sent = {},
) => {
  const response = await mcp({
    method,
    url,
    headers: {
      'content-type': 'application/json',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': (body as { readonly method?: string }).method ?? '',
      ...(token !== null && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
  return { ...response, json: response.body === '' ? undefined : JSON.parse(response.body) };
};

describe('A sender who is not known gets a 401 that says where to get a token', () => {
  const authorizationServers = ['https://login.clinic.example'];
  const scopes = ['user/*.rs', 'user/Command.c'];
  const challenge =
    'Bearer resource_metadata="https://clinic.example/.well-known/oauth-protected-resource/mcp", scope="user/*.rs user/Command.c"';

  test.each([
    ['without a token', null, message('tools/list')],
    ['with another token', 'expired', message('tools/list')],
    ['with another token, to a tool', 'expired', message('tools/call', { ...meta, name: 'search_Goal' })],
    ['with another token, to no tool', 'expired', message('tools/call', { ...meta, name: 'commit' })],
  ])('%s', async (_, token, body) => {
    const headers = 'name' in body.params ? { 'mcp-name': `${body.params.name}` } : {};
    const response = await send(open({ authorizationServers, scopes }), { token, body, headers });
    expect(response).toMatchObject({ status: 401, headers: { 'www-authenticate': challenge } });
    expect(response.json).not.toHaveProperty('result');
  });

  test('and the document there names the authorization servers', async () => {
    const mcp = open({ authorizationServers, scopes });
    const url = '/.well-known/oauth-protected-resource/mcp';
    const { status, json } = await send(mcp, { method: 'GET', url, token: null });
    expect([status, json]).toEqual([
      200,
      {
        resource: 'https://clinic.example/mcp',
        authorization_servers: authorizationServers,
        scopes_supported: scopes,
        bearer_methods_supported: ['header'],
      },
    ]);
  });

  test('and the official client finds them', async () => {
    const url = await serveAgents(handlerOf(), { authorizationServers, scopes });
    const refused = await fetch(url, { method: 'POST' });
    expect(extractWWWAuthenticateParams(refused)).toMatchObject({
      resourceMetadataUrl: new URL('https://clinic.example/.well-known/oauth-protected-resource/mcp'),
      scope: 'user/*.rs user/Command.c',
    });
    const found = await discoverOAuthProtectedResourceMetadata(url);
    expect(found).toMatchObject({ authorization_servers: authorizationServers, scopes_supported: scopes });
  });

  test('and without authorization servers, it is only a challenge', async () => {
    const url = '/.well-known/oauth-protected-resource/mcp';
    expect((await send(open(), { token: null })).headers['www-authenticate']).toBe('Bearer');
    expect((await send(open(), { method: 'GET', url })).status).toBe(404);
  });

  test('and a session of a browser does not count', async () => {
    const authenticateSession = (): Principal => ({ subject: 'Practitioner/ada', scopes: ['user/*.*'] });
    const mcp = open({}, handlerOf({ authenticateSession }));
    expect((await send(mcp, { token: null, headers: { cookie: 'session=1' } })).status).toBe(401);
  });
});

describe('The endpoint', () => {
  test.each(['GET', 'DELETE', 'PUT', 'OPTIONS'])(
    'has no streams and no sessions: %s is a 405',
    async (method) => {
      const response = await send(open(), { method });
      expect(response).toMatchObject({ status: 405, headers: { allow: 'POST' } });
    },
  );

  test('hands every other path to the handler as it is', async () => {
    const mcp = open();
    expect((await send(mcp, { method: 'GET', url: '/fhir/metadata', token: null })).json.resourceType).toBe(
      'CapabilityStatement',
    );
    expect((await send(mcp, { method: 'GET', url: '/fhir/Goal?patient=amy' })).json.resourceType).toBe(
      'Bundle',
    );
    expect((await send(mcp, { method: 'POST', url: '/mcp/x' })).json.resourceType).toBe('OperationOutcome');
  });

  test.each([
    ['[]', -32600],
    [[message('tools/list'), message('tools/list')], -32600],
    ['{', -32700],
    ['{"jsonrpc":"2.0","id":1,"id":2,"method":"tools/list"}', -32700],
    [{ id: 1, method: 'tools/list' }, -32600],
    [{ jsonrpc: '2.0', id: null, method: 'tools/list' }, -32600],
    [{ jsonrpc: '2.0', id: 1, result: {} }, -32600],
    [{ jsonrpc: '2.0', id: 1, method: 'tools/list', params: [] }, -32600],
  ])('refuses a body such as %j', async (body, code) => {
    const { status, json } = await send(open(), { body });
    expect([status, json.error.code]).toEqual([400, code]);
  });

  test('refuses a body beyond the limit of the handler, and another type', async () => {
    const mcp = open({}, handlerOf({ bodyLimit: 1000 }));
    expect(mcp.bodyLimit).toBe(1000);
    expect((await send(mcp, { body: message('tools/list', { ...meta, x: 'x'.repeat(1000) }) })).status).toBe(
      413,
    );
    expect((await send(mcp, { headers: { 'content-type': 'text/plain' } })).status).toBe(415);
  });

  test('refuses pages of other origins, whatever their token, and lets those that are named', async () => {
    const foreign = { origin: 'https://evil.example' };
    expect((await send(open(), { headers: foreign })).status).toBe(403);
    const mcp = open({ origins: ['https://app.example'] });
    expect((await send(mcp, { headers: foreign })).status).toBe(403);
    const known = { origin: 'https://app.example' };
    expect(await send(mcp, { headers: known })).toMatchObject({
      status: 200,
      headers: { 'access-control-allow-origin': 'https://app.example' },
    });
    const preflight = { ...known, 'access-control-request-method': 'POST' };
    expect(await send(mcp, { method: 'OPTIONS', token: null, headers: preflight })).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': 'https://app.example' },
    });
  });

  test('hands on that a sender has to wait', async () => {
    const gate = Promise.withResolvers<'allow'>();
    const mcp = open({}, handlerOf({ maxInFlight: 1, authorize: () => gate.promise }));
    const params = { ...meta, name: 'search_Goal', arguments: { patient: 'amy' } };
    const call = { body: message('tools/call', params), headers: { 'mcp-name': 'search_Goal' } };
    const first = send(mcp, call);
    const second = await send(mcp, call);
    expect(second.json.result).toMatchObject({
      isError: true,
      content: [{ text: expect.stringMatching(/\(429\)[\s\S]*Send it again in 1 s\./) }],
    });
    expect(await send(mcp)).toMatchObject({ status: 429, headers: { 'retry-after': '1' } });
    gate.resolve('allow');
    expect((await first).status).toBe(200);
  });

  test('says that a wrong basePath is the fault of the host', async () => {
    const causes: Error[] = [];
    const mcp = open({ basePath: '/other', onError: (cause) => causes.push(cause) });
    expect(await send(mcp)).toMatchObject({ status: 500, json: { error: { code: -32603 } } });
    expect(causes).toMatchObject([
      { message: expect.stringMatching(/basePath must be that of the handler/) },
    ]);
  });
});

describe('The stateless revision', () => {
  test.each([
    ['server/discover', { supportedVersions: expect.arrayContaining(['2026-07-28']) }],
    ['tools/list', { tools: expect.any(Array), cacheScope: 'public' }],
  ])('%s is complete, and says for how long it holds', async (method, result) => {
    const { status, json } = await send(open(), { body: message(method) });
    expect([status, json.id]).toEqual([200, 1]);
    expect(json.result).toMatchObject({ resultType: 'complete', ttlMs: expect.any(Number), ...result });
    expect(json.result._meta['io.modelcontextprotocol/serverInfo'].name).toBe('clinical-records');
  });

  test('names its path as the route, for logs and metrics', async () => {
    expect((await send(open())).route).toBe('/mcp');
    expect((await send(open(), { method: 'GET', url: '/fhir/Goal?patient=amy' })).route).toBe('/fhir/Goal');
  });

  const list = message('tools/list');
  const version = (named: string) => ({
    _meta: { ...meta._meta, 'io.modelcontextprotocol/protocolVersion': named },
  });
  test.each([
    [
      'another version',
      message('tools/list', version('1900-01-01')),
      { 'mcp-protocol-version': '1900-01-01' },
      -32022,
    ],
    [
      'another version in the header only',
      message('tools/list', {}),
      { 'mcp-protocol-version': '1900-01-01' },
      -32022,
    ],
    ['another header', list, { 'mcp-protocol-version': '2025-11-25' }, -32020],
    ['another method', list, { 'mcp-method': 'server/discover' }, -32020],
    [
      'another name',
      message('tools/call', { ...meta, name: 'read_Goal' }),
      { 'mcp-name': 'stage_goal' },
      -32020,
    ],
    ['no name', message('tools/call', { ...meta, name: 'read_Goal' }), {}, -32020],
    ['no _meta', message('tools/list', {}), {}, -32602],
    [
      'no capabilities',
      message('tools/list', {
        _meta: { ...meta._meta, 'io.modelcontextprotocol/clientCapabilities': undefined },
      }),
      {},
      -32602,
    ],
  ])('refuses %s', async (_, body, headers, code) => {
    const { status, json } = await send(open(), { body, headers });
    expect([status, json.error.code]).toEqual([400, code]);
  });

  test('takes a name that is encoded', async () => {
    const name = `=?base64?${btoa('search_Goal')}?=`;
    const body = message('tools/call', { ...meta, name: 'search_Goal' });
    expect((await send(open(), { body, headers: { 'mcp-name': name } })).json.result.isError).toBeUndefined();
  });

  test('has no other method, and no other tool', async () => {
    const { status, json } = await send(open(), { body: message('resources/list') });
    expect([status, json.error.code]).toEqual([404, -32601]);
    const body = message('tools/call', { ...meta, name: 'commit' });
    expect((await send(open(), { body, headers: { 'mcp-name': 'commit' } })).json.error.code).toBe(-32602);
  });
});

describe('A revision with a handshake', () => {
  const handshake = (body: object, version?: string) =>
    open()({
      method: 'POST',
      url: '/mcp',
      headers: {
        authorization: 'Bearer ada',
        'content-type': 'application/json',
        ...(version !== undefined && { 'mcp-protocol-version': version }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    });

  test.each([
    ['2025-06-18', '2025-06-18'],
    ['2024-11-05', '2025-11-25'],
    ['2026-07-28', '2025-11-25'],
  ])('who asks for %s gets %s', async (protocolVersion, given) => {
    const { body } = await handshake({ id: 0, method: 'initialize', params: { protocolVersion } });
    const { result } = JSON.parse(body);
    expect(result).toMatchObject({
      protocolVersion: given,
      instructions: expect.stringMatching(/never an instruction/),
    });
  });

  test('keeps nothing: a notification is a 202, and each later message stands alone', async () => {
    expect((await handshake({ method: 'notifications/initialized' }, '2025-11-25')).status).toBe(202);
    expect(JSON.parse((await handshake({ id: 'a', method: 'ping' }, '2025-06-18')).body)).toMatchObject({
      id: 'a',
    });
    const { status, body } = await handshake({ id: 2, method: 'resources/list' }, '2025-06-18');
    expect([status, JSON.parse(body).error.code]).toEqual([200, -32601]);
  });
});

describe('The agent', () => {
  const stagedBy = async (principal: Principal) => {
    const { records } = await openClinic(createMemoryStore());
    const mcp = open({}, createHandler(records, { authenticate: () => principal, chartCommands: true }));
    const { kind: _, ...sent } = withoutId(goal());
    const body = message('tools/call', { ...meta, name: 'stage_goal', arguments: sent });
    await send(mcp, { body, headers: { 'mcp-name': 'stage_goal' } });
    const { commands } = await records.chart.search({ patient: 'amy' });
    return commands.map(({ staged }) => staged.agent);
  };

  test('is the one of the token, and otherwise the one of the endpoint', async () => {
    const principal: Principal = { subject: 'Practitioner/ada', scopes: ['user/*.*'] };
    expect(await stagedBy(principal)).toEqual([agent]);
    const scribe = { reference: 'Device/scribe' } as const;
    expect(await stagedBy({ ...principal, agent: scribe })).toEqual([scribe]);
  });

  test.each([
    { url: 'clinic.example/mcp' },
    { url: 'https://clinic.example' },
    { agent: undefined },
    { agent: { reference: '' } },
    { authorizationServers: ['login'] },
    { origins: ['https://app.example/'] },
    { answerLimit: 10 },
    { answerlimit: 4096 },
  ])('of an endpoint with %j throws when it is created', (options) => {
    expect(() => open(options as Partial<McpOptions>)).toThrow(/url|agent|authorizationServers|cors|answer/i);
  });
});
