import { gather } from './gather.ts';
import type { HttpHandler } from './http.ts';
import { readOnce } from './read-once.ts';

const read = async (stream: ReadableStream<Uint8Array>, limit: number): Promise<Uint8Array> => {
  const body = gather(limit);
  for await (const piece of stream) if (body.add(piece)) break;
  return body.bytes();
};

const bodyOf = (request: Request, limit: number) => {
  const { body } = request;
  if (body === null) return undefined;
  const isRead = () => request.bodyUsed || body.locked;
  return readOnce(isRead, () => read(body, limit));
};

/**
 * The handler for servers that speak the web's `Request` and `Response`, such as Hono. It rejects where the body of a
 * request breaks off, for then nobody is left to answer.
 *
 * @example
 * export default { fetch: toFetch(handler) };
 */
export const toFetch =
  (handler: HttpHandler) =>
  async (request: Request): Promise<Response> => {
    const { status, headers, body } = await handler({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: bodyOf(request, handler.bodyLimit),
    });
    return new Response(request.method === 'HEAD' ? null : body, { status, headers });
  };
