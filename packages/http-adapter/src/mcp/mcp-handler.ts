import * as E from 'fp-ts/lib/Either.js';
import { isPreflight, preflightResponse, publicCorsHeaders, withCorsHeaders } from '../cors.ts';
import { type HttpHandler, type HttpRequest, type HttpResponse, headerOf } from '../http.ts';
import { parseBody, RequestAborted } from '../request/body.ts';
import { splitUrl } from '../request/request.ts';
import { uncachedHeaders } from '../respond/response.ts';
import { sentencesOf, toToolResult } from './answer.ts';
import { checkMcpOptions, type McpOptions } from './options.ts';
import {
  checkVersion,
  codes,
  discoverResult,
  initializeResult,
  isValues,
  type Message,
  type ProtocolError,
  parseMessage,
  renderError,
  renderResult,
  toolsResult,
} from './protocol.ts';
import { createTools, type InterfaceDocument, type Tool } from './tools.ts';
import { instructionsFor } from './words.ts';

type Headers = Readonly<Record<string, string>>;

const respond = (status: number, body: string, headers: Headers = {}): HttpResponse => ({
  status,
  headers: { ...uncachedHeaders, ...(body !== '' && { 'content-type': 'application/json' }), ...headers },
  body,
});

const refuse = (error: ProtocolError, id?: Message['id'], headers: Headers = {}): HttpResponse =>
  respond(error.status, renderError(id, error), headers);

const forbiddenOrigin: ProtocolError = {
  status: 403,
  code: codes.request,
  message: 'Pages of this origin may not call it.',
};

/** Headers of a request that are about its body and its response, and those of a session: a call needs a token. */
const ownHeaders = /^(content-|accept|prefer$|if-|cookie$|origin$|transfer-encoding$|mcp-|last-event-id$)/;

const passedHeaders = ({ headers }: HttpRequest): HttpRequest['headers'] =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.test(name)));

const metadataPrefix = '/.well-known/oauth-protected-resource';

/** Says who issues the tokens. Source: RFC 9728, 2 and 3. */
const createMetadata = ({ url, authorizationServers, scopes }: McpOptions): string =>
  JSON.stringify({
    resource: url,
    authorization_servers: authorizationServers,
    ...(scopes !== undefined && { scopes_supported: scopes }),
    bearer_methods_supported: ['header'],
  });

/** The challenge of a 401. Source: RFC 6750, 3; RFC 9728, 5.1. */
const createChallenge = ({ url, authorizationServers, scopes }: McpOptions): string => {
  const { origin, pathname } = new URL(url);
  const parameters = [
    ...(authorizationServers === undefined
      ? []
      : [`resource_metadata="${origin}${metadataPrefix}${pathname}"`]),
    ...(scopes === undefined ? [] : [`scope="${scopes.join(' ')}"`]),
  ];
  return ['Bearer', parameters.join(', ')].join(' ').trim();
};

/** Sends requests to the handler as the agent that it is. */
const createSend =
  (handler: HttpHandler, { agent, basePath = '' }: McpOptions) =>
  (
    request: HttpRequest,
    { method, path, query = '', body }: { method: string; path: string; query?: string; body?: string },
  ): Promise<HttpResponse> =>
    handler({
      method,
      url: `${basePath}${path}${query === '' ? '' : `?${query}`}`,
      headers: {
        ...passedHeaders(request),
        accept: 'application/json',
        prefer: 'return=representation',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
      ...(request.source !== undefined && { source: request.source }),
      agent,
    });

type AgentInterface = { readonly tools: ReadonlyMap<string, Tool>; readonly instructions: string };

/** Reads the description of the interface, once. */
const createReadInterface = (handler: HttpHandler, { basePath = '' }: McpOptions) => {
  let known: AgentInterface | undefined;
  return async (): Promise<AgentInterface> => {
    if (known !== undefined) return known;
    const path = `${basePath}/openapi.json`;
    const { status, body } = await handler({ method: 'GET', url: path, headers: {} });
    if (status !== 200) throw new Error(`${path} is a ${status}: basePath must be that of the handler.`);
    const tools = createTools(JSON.parse(body) as InterfaceDocument);
    const canPropose = [...tools.values()].some(({ description }) => !description.annotations.readOnlyHint);
    known = { tools, instructions: instructionsFor(canPropose) };
    return known;
  };
};

/** The error of a response that is not about the arguments of a tool: the sender is not known, or has to wait. */
const refuseSender = (response: HttpResponse, challenge: string, id: Message['id']): HttpResponse => {
  const { status, headers } = response;
  const wait = headers['retry-after'];
  const message = sentencesOf(response).join(' ');
  return refuse({ status, code: status, message }, id, {
    ...(status === 401 && { 'www-authenticate': challenge }),
    ...(wait !== undefined && { 'retry-after': wait }),
  });
};

type Respond = (message: Message, request: HttpRequest) => Promise<HttpResponse>;

/** Responds to a message that has been read. */
const createRespond = (handler: HttpHandler, options: McpOptions, challenge: string): Respond => {
  const { answerLimit = 64 * 1024 } = options;
  const send = createSend(handler, options);
  const readInterface = createReadInterface(handler, options);

  const callTool = async (tool: Tool, { id, params }: Message, request: HttpRequest) => {
    const sent = isValues(params.arguments) ? params.arguments : {};
    const response = await send(request, tool.toRequest(sent));
    if (response.status === 401) return refuseSender(response, challenge, id);
    const requestId = response.headers['x-request-id'];
    return respond(
      200,
      renderResult(id, toToolResult(tool, sent, response, answerLimit)),
      requestId === undefined ? {} : { 'x-request-id': requestId },
    );
  };

  return async (message, request) => {
    const version = checkVersion(message, request);
    if (E.isLeft(version)) return refuse(version.left, message.id);
    const isStateless = version.right;
    const { id, method, params } = message;
    const { tools, instructions } = await readInterface();
    const tool = method === 'tools/call' ? tools.get(`${params.name}`) : undefined;
    if (tool !== undefined && id !== undefined) return callTool(tool, message, request);
    // It has no data of a chart, but only those who are known may have it.
    const sender = await send(request, { method: 'HEAD', path: '/openapi.json' });
    if (sender.status !== 200) return refuseSender(sender, challenge, id);
    if (id === undefined) return respond(202, '');
    const result = (body: object) => respond(200, renderResult(id, body));
    switch (isStateless ? method : `handshake ${method}`) {
      case 'server/discover':
        return result(discoverResult(instructions));
      case 'handshake initialize':
        return result(initializeResult(message, instructions));
      case 'handshake ping':
        return result({});
      case 'tools/list':
      case 'handshake tools/list':
        return result(toolsResult(Array.from(tools.values(), ({ description }) => description)));
      case 'tools/call':
      case 'handshake tools/call':
        return refuse({ status: 200, code: codes.parameters, message: 'There is no such tool.' }, id);
      default: {
        const status = isStateless ? 404 : 200;
        return refuse({ status, code: codes.method, message: 'The method is not supported.' }, id);
      }
    }
  };
};

/** Reads a message, and responds to it. A sender without a token gets no further. */
const createReceive =
  (handler: HttpHandler, respondTo: Respond, challenge: string) =>
  async (request: HttpRequest): Promise<HttpResponse> => {
    if (request.method !== 'POST')
      return refuse({ status: 405, code: codes.request, message: 'Only POST is supported.' }, undefined, {
        allow: 'POST',
      });
    if (headerOf(request, 'authorization') === undefined)
      return refuse({ status: 401, code: 401, message: 'The request has no bearer token.' }, undefined, {
        'www-authenticate': challenge,
      });
    const body = await parseBody(request, { type: 'Message', bodyFormat: 'json' }, handler.bodyLimit);
    if (E.isLeft(body)) {
      const { status, issues, headers } = body.left;
      const code = status === 400 ? codes.parse : codes.request;
      const message = issues.map(({ message }) => message).join(' ');
      return refuse({ status, code, message }, undefined, headers);
    }
    const message = parseMessage(body.right.json);
    return E.isLeft(message) ? refuse(message.left) : respondTo(message.right, request);
  };

/**
 * Serves agents in front of a handler, at the path of `url`, with the Model Context Protocol over Streamable HTTP: its revision
 * 2026-07-28, and those before it since 2025-03-26. Each call of a tool is an ordinary request to the handler, with the token of its sender.
 * Every other request goes to the handler as it is. Source: docs/agents.md.
 *
 * Throws if an option is missing or not valid.
 *
 * @example
 * const mcp = createMcpHandler(handler, { url: 'https://clinic.example/mcp', basePath: '/fhir', agent: { reference: 'Device/assistant' } });
 * createServer(toNodeListener(mcp)).listen(3000, '127.0.0.1');
 */
export const createMcpHandler = (handler: HttpHandler, options: McpOptions): HttpHandler => {
  checkMcpOptions(options);
  const { url, origins = [], authorizationServers, onError = () => {} } = options;
  const { pathname } = new URL(url);
  const challenge = createChallenge(options);
  const metadata = createMetadata(options);
  const receive = createReceive(handler, createRespond(handler, options, challenge), challenge);

  /** Pages of other origins are refused, so that none reaches a server on the machine of its reader. */
  const receiveFrom = async (request: HttpRequest): Promise<HttpResponse> => {
    const origin = headerOf(request, 'origin');
    if (origin === undefined) return receive(request);
    if (!origins.includes(origin)) return refuse(forbiddenOrigin);
    const response = isPreflight(request) ? preflightResponse(request, { origins }) : await receive(request);
    return withCorsHeaders(response, request, { origins });
  };

  const handle = async (request: HttpRequest): Promise<HttpResponse> => {
    const { path } = splitUrl(request.url);
    if (path === `${metadataPrefix}${pathname}` && authorizationServers !== undefined)
      return respond(200, metadata, publicCorsHeaders);
    if (path !== pathname) return handler(request);
    return { ...(await receiveFrom(request)), route: pathname };
  };

  const handleSafely = async (request: HttpRequest): Promise<HttpResponse> => {
    try {
      return await handle(request);
    } catch (cause) {
      if (cause instanceof RequestAborted) throw cause.cause;
      if (splitUrl(request.url).path !== pathname) throw cause;
      onError(cause as Error);
      return refuse({ status: 500, code: codes.internal, message: 'Internal error.' });
    }
  };
  return Object.assign(handleSafely, { bodyLimit: handler.bodyLimit });
};
