import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type CallToolResult, Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { onTestFinished } from 'vitest';
import { type HttpHandler, type Principal, toNodeListener } from '../../src/index.ts';
import { createMcpHandler, type McpOptions } from '../../src/mcp.ts';

export const agent = { reference: 'Device/assistant', display: 'Assistant' } as const;

/** Three tokens: one with every scope, one for a single chart, and one that only reads. */
export const authenticate = (token: string): Principal | null => {
  switch (token) {
    case 'ada':
      return { subject: 'Practitioner/ada', scopes: ['user/*.*', 'system/*.*'] };
    case 'amy':
      return {
        subject: 'Practitioner/ada',
        patient: 'amy',
        scopes: ['patient/*.rs', 'patient/Command.crus'],
      };
    case 'reader':
      return { subject: 'Practitioner/ada', scopes: ['user/*.rs'] };
    default:
      return null;
  }
};

export const mcpOptions = { url: 'https://clinic.example/mcp', basePath: '/fhir', agent } as const;

/** Serves a handler to agents, until the test ends. Returns the URL of the endpoint. */
export const serveAgents = async (handler: HttpHandler, options: Partial<McpOptions> = {}) => {
  const server = createServer(toNodeListener(createMcpHandler(handler, { ...mcpOptions, ...options })));
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
};

/** The revisions that the official client speaks: the stateless one, and those with a handshake. */
export const eras = [{ pin: '2026-07-28' }, 'legacy'] as const;

/** An agent with the official client. */
export const connect = async (url: URL, token = 'ada', mode: (typeof eras)[number] = eras[0]) => {
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } });
  const headers = { authorization: `Bearer ${token}` };
  await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
  onTestFinished(() => client.close());
  return client;
};

/** The texts of a result: ours, and the lines of data. */
export const readResult = ({ content = [], isError = false }: CallToolResult) => {
  const [text = '', data = ''] = content.map((part) => (part.type === 'text' ? part.text : ''));
  const lines = data.split('\n').slice(1, -1);
  return { text, data, isError, resources: lines.map((line) => JSON.parse(line)) };
};
