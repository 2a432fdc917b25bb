import type { IncomingMessage, ServerResponse } from 'node:http';
import { gather } from './gather.ts';
import type { HttpHandler } from './http.ts';
import { readOnce } from './read-once.ts';

const read = (message: IncomingMessage, limit: number): Promise<Uint8Array> =>
  new Promise((resolve, reject) => {
    // Of a client that is gone there will be no event any more.
    if (message.destroyed) reject(message.errored);
    const body = gather(limit);
    const finish = () => resolve(body.bytes());
    message.on('data', (piece: Buffer) => {
      if (body.add(piece)) finish();
    });
    message.on('end', finish);
    message.on('error', reject);
    // A host that gives a request up may destroy it without an error.
    message.on('close', reject);
  });

const hasBody = ({ headers }: IncomingMessage) =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';

const bodyOf = (message: IncomingMessage, limit: number) => {
  if (!hasBody(message)) return undefined;
  const isRead = () => message.readableDidRead || message.readableEnded;
  return readOnce(isRead, () => read(message, limit));
};

/**
 * The handler as a listener of `node:http`, which Express and Fastify take, too.
 *
 * @example
 * createServer(toNodeListener(handler)).listen(3000, '127.0.0.1');
 */
export const toNodeListener =
  (handler: HttpHandler) =>
  async (
    message: IncomingMessage & { originalUrl?: string | undefined },
    response: ServerResponse,
  ): Promise<void> => {
    const { method = 'GET', url = '/', originalUrl = url, headers } = message;
    try {
      const body = bodyOf(message, handler.bodyLimit);
      const {
        status,
        headers: answered,
        body: text,
      } = await handler({ method, url: originalUrl, headers, body });
      response.writeHead(status, { ...answered, 'content-length': Buffer.byteLength(text) });
      response.end(method === 'HEAD' ? undefined : text);
    } catch {
      // The client went away while it was sending: there is nobody left to answer.
      response.destroy();
    }
  };
