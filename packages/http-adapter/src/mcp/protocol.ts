import * as E from 'fp-ts/lib/Either.js';
import packageJson from '../../package.json' with { type: 'json' };
import { type HttpRequest, headerOf } from '../http.ts';

/** The revision of the protocol in which each request says what it needs. Source: MCP 2026-07-28, "Versioning". */
const statelessVersion = '2026-07-28';

/** The revisions that begin with a handshake. It is answered, and nothing is kept of it. The newest is first. */
const handshakeVersions: readonly string[] = ['2025-11-25', '2025-06-18', '2025-03-26'];

const versions = [statelessVersion, ...handshakeVersions];

/** The codes of errors. Source: JSON-RPC 2.0, 5.1; MCP 2026-07-28, "Error Codes". */
export const codes = {
  parse: -32700,
  request: -32600,
  method: -32601,
  parameters: -32602,
  internal: -32603,
  headers: -32020,
  version: -32022,
} as const;

/** An error of the protocol. A model can hardly correct it; what it can is the result of a tool. */
export type ProtocolError = {
  readonly status: number;
  readonly code: number;
  readonly message: string;
  readonly data?: object;
};

type Values = Readonly<Record<string, unknown>>;

/** A request, or a notification, which has no id. */
export type Message = {
  readonly id: string | number | undefined;
  readonly method: string;
  readonly params: Values;
};

const badRequest = (code: number, message: string): E.Either<ProtocolError, never> =>
  E.left({ status: 400, code, message });

export const isValues = (value: unknown): value is Values =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Parses one message. Several at once are refused: the protocol has none since 2025-06-18, and they would have no bound. */
export const parseMessage = (json: unknown): E.Either<ProtocolError, Message> => {
  if (Array.isArray(json)) return badRequest(codes.request, 'Send one message at a time, and not a batch.');
  if (!isValues(json) || json.jsonrpc !== '2.0' || typeof json.method !== 'string')
    return badRequest(codes.request, 'The body must be a JSON-RPC 2.0 request or notification.');
  const { id, method, params = {} } = json;
  const isId = typeof id === 'string' || Number.isSafeInteger(id) || id === undefined;
  if (!isId || !isValues(params))
    return badRequest(codes.request, 'The id must be a string or an integer, and params an object.');
  return E.right({ id: id as Message['id'], method, params });
};

const metaOf = ({ params: { _meta } }: Message): Values => (isValues(_meta) ? _meta : {});

const namespace = 'io.modelcontextprotocol/';

/** The value of a header that mirrors one of the body. Source: MCP 2026-07-28, Streamable HTTP, "Value Encoding". */
const decodeHeader = (value: string | undefined): string | undefined => {
  const [, encoded] = /^=\?base64\?([A-Za-z0-9+/=]*)\?=$/.exec(value ?? '') ?? [];
  return encoded === undefined ? value : Buffer.from(encoded, 'base64').toString('utf8');
};

const mismatch = (header: string): E.Either<ProtocolError, never> =>
  badRequest(codes.headers, `The header ${header} is missing, or differs from the body.`);

const unsupported = (requested: string): E.Either<ProtocolError, never> =>
  E.left({
    status: 400,
    code: codes.version,
    message: 'Unsupported protocol version.',
    data: { supported: versions, requested },
  });

/** Whether a message is of the stateless revision. It is an error if its headers or `_meta` lack something. */
export const checkVersion = (message: Message, request: HttpRequest): E.Either<ProtocolError, boolean> => {
  const { method, params } = message;
  if (method === 'initialize') return E.right(false);
  const header = headerOf(request, 'mcp-protocol-version');
  const meta = metaOf(message);
  const version = meta[`${namespace}protocolVersion`];
  if (version === undefined && header !== statelessVersion)
    return header === undefined || handshakeVersions.includes(header) ? E.right(false) : unsupported(header);
  if (typeof version !== 'string' || !isValues(meta[`${namespace}clientCapabilities`]))
    return badRequest(
      codes.parameters,
      `_meta needs ${namespace}protocolVersion and ${namespace}clientCapabilities.`,
    );
  if (version !== statelessVersion) return unsupported(version);
  if (header !== version) return mismatch('MCP-Protocol-Version');
  if (headerOf(request, 'mcp-method') !== method) return mismatch('Mcp-Method');
  if (method === 'tools/call' && decodeHeader(headerOf(request, 'mcp-name')) !== params.name)
    return mismatch('Mcp-Name');
  return E.right(true);
};

const serverInfo = { name: 'clinical-records', version: packageJson.version } as const;

/** The descriptions are the same for everybody, as long as the process lives. */
const cacheable = { ttlMs: 60 * 60 * 1000, cacheScope: 'public' } as const;

/** The response to a handshake. Source: MCP 2025-11-25, "Lifecycle". */
export const initializeResult = ({ params: { protocolVersion } }: Message, instructions: string) => ({
  protocolVersion: handshakeVersions.find((version) => version === protocolVersion) ?? handshakeVersions[0],
  capabilities: { tools: {} },
  serverInfo,
  instructions,
});

export const discoverResult = (instructions: string) => ({
  supportedVersions: versions,
  capabilities: { tools: {} },
  instructions,
  ...cacheable,
});

export const toolsResult = (tools: readonly object[]) => ({ tools, ...cacheable });

/** The text of a response with a result. */
export const renderResult = (id: Message['id'], result: object): string =>
  JSON.stringify({
    jsonrpc: '2.0',
    id,
    result: { resultType: 'complete', ...result, _meta: { [`${namespace}serverInfo`]: serverInfo } },
  });

/** The text of a response with an error. Without an id, it is about a request that could not be read. */
export const renderError = (
  id: Message['id'],
  { code, message, data }: Omit<ProtocolError, 'status'>,
): string => JSON.stringify({ jsonrpc: '2.0', id, error: { code, message, data } });
