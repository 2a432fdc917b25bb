import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { HttpHandler, HttpResponse, ResponseStream } from '../http.ts';
import { createBodyBuffer, createReadOnce } from '../request/body.ts';

type RequestMessage = IncomingMessage | Http2ServerRequest;

/** The part of a response that is used here. Its methods fit the responses of `node:http` and of `node:http2`. */
type ResponseMessage = {
  writeHead(status: number, headers: Readonly<Record<string, string | number>>): unknown;
  end(): unknown;
  end(body: string | Uint8Array): unknown;
  write(piece: string): unknown;
  once(event: 'close' | 'drain', listener: () => void): unknown;
  readonly destroyed?: boolean;
  /** The responses of `node:http2` do not have `destroyed`; their streams have. */
  readonly stream?: { readonly destroyed: boolean };
  destroy(): unknown;
};

const readBody = (message: RequestMessage, limit: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    // A client that has already disconnected does not cause an event.
    if (message.aborted || message.destroyed) reject(message.errored);
    const buffer = createBodyBuffer(limit);
    const finish = () => resolve(buffer.bytes());
    message.on('data', (piece: Buffer) => {
      if (buffer.add(piece)) finish();
    });
    message.on('end', finish);
    message.on('error', reject);
    // A host may destroy a request without an error.
    message.on('close', reject);
  });

const isHttp2 = ({ httpVersionMajor }: RequestMessage) => httpVersionMajor > 1;

/**
 * Whether there may be a body. Over HTTP/2, only the end of the request shows that it has none. Source: RFC 9112, 6.3;
 * RFC 9113, 8.1.
 */
const mayHaveBody = (message: RequestMessage) => {
  const { 'transfer-encoding': coding, 'content-length': length = '0' } = message.headers;
  return isHttp2(message) || coding !== undefined || length !== '0';
};

const createBodyReader = (message: RequestMessage, limit: number) => {
  if (!mayHaveBody(message)) return undefined;
  // Node ends and discards a body of HTTP/2 that broke off.
  const isRead = () => !message.aborted && (message.readableDidRead || message.readableEnded);
  return createReadOnce(isRead, () => readBody(message, limit));
};

/**
 * The headers of a request. Node keeps the first of several `Authorization` headers. All of them are passed on, so that
 * the handler can refuse them.
 */
const requestHeadersOf = ({ headers, rawHeaders }: RequestMessage) => {
  const authorization = rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
  return authorization.length > 1 ? { ...headers, authorization } : headers;
};

/** HTTP/2 does not allow headers about the connection. Source: RFC 9113, 8.2.2. */
const responseHeadersFor = (message: RequestMessage, { headers }: HttpResponse) => {
  if (!isHttp2(message)) return headers;
  const { connection: _, ...allowed } = headers;
  return allowed;
};

/**
 * Node copies the part of a text that the system does not accept at once, and keeps the text. Bytes are kept only once.
 */
const payloadOf = (body: string): string | Uint8Array => (body.length > 64 * 1024 ? Buffer.from(body) : body);

/** Whether a response has a body. The length of one without a body would be that of another. Source: RFC 9110, 8.6. */
const hasBody = ({ status }: HttpResponse): boolean => status !== 204 && status !== 304;

/** Writes the pieces of a response, and waits for a client that reads them slowly. Ends when the client disconnects. */
const writePieces = async (response: ResponseMessage, stream: ResponseStream): Promise<void> => {
  const closed = new Promise<void>((resolve) => {
    if (response.destroyed ?? response.stream?.destroyed) resolve();
    response.once('close', resolve);
  });
  closed.then(stream.return);
  for (;;) {
    const { value, done } = await stream.next();
    if (done === true) break;
    if (response.write(value) !== false) continue;
    await Promise.race([closed, new Promise<void>((resolve) => response.once('drain', resolve))]);
  }
  response.end();
};

/**
 * The handler as a listener of `node:http` and `node:http2`. Express and Fastify accept it, too.
 *
 * @example
 * createServer(toNodeListener(handler)).listen(3000, '127.0.0.1');
 */
export const toNodeListener =
  (handler: HttpHandler) =>
  async (
    message: RequestMessage & { originalUrl?: string | undefined },
    response: ResponseMessage,
  ): Promise<void> => {
    const { method = 'GET', url = '/', originalUrl = url } = message;
    try {
      const body = createBodyReader(message, handler.bodyLimit);
      const headers = requestHeadersOf(message);
      const answer = await handler({ method, url: originalUrl, headers, body, source: message });
      if (answer.stream !== undefined) {
        response.writeHead(answer.status, responseHeadersFor(message, answer));
        await writePieces(response, answer.stream);
        return;
      }
      const responseHeaders = responseHeadersFor(message, answer);
      if (!hasBody(answer)) {
        response.writeHead(answer.status, responseHeaders);
        response.end();
        return;
      }
      const payload = payloadOf(answer.body);
      response.writeHead(answer.status, {
        ...responseHeaders,
        'content-length': Buffer.byteLength(payload),
      });
      if (method === 'HEAD') response.end();
      else response.end(payload);
    } catch {
      // The client disconnected while it was sending, so nobody would read a response.
      response.destroy();
    }
  };
