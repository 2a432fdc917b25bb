import type { HttpHandler, ResponseStream } from '../http.ts';
import { createBodyBuffer, createReadOnce } from '../request/body.ts';

const readBody = async ({ body }: Request, limit: number): Promise<Uint8Array> => {
  const buffer = createBodyBuffer(limit);
  for await (const piece of body ?? []) if (buffer.add(piece)) break;
  return buffer.bytes();
};

/** Touches a body only when it is needed. Some servers close the connection of a body that was touched and not read. */
const createBodyReader = (request: Request, limit: number) =>
  createReadOnce(
    () => request.bodyUsed || request.body?.locked === true,
    () => readBody(request, limit),
  );

/** The pieces of a response as a stream of the web. If the client disconnects, it is cancelled. */
const streamBody = (stream: ResponseStream): ReadableStream<Uint8Array> => {
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller) => {
      const { value, done } = await stream.next();
      if (done === true) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    cancel: () => stream.return(),
  });
};

/**
 * The handler for servers with the web's `Request` and `Response`, such as Hono. It rejects if the body of a request
 * breaks off, because then there is no client to respond to.
 *
 * @example
 * export default { fetch: toFetch(handler) };
 */
export const toFetch =
  (handler: HttpHandler) =>
  async (request: Request): Promise<Response> => {
    const { status, headers, body, stream } = await handler({
      method: request.method,
      url: request.url,
      headers: Object.fromEntries(request.headers),
      body: createBodyReader(request, handler.bodyLimit),
      source: request,
    });
    if (stream !== undefined) return new Response(streamBody(stream), { status, headers });
    return new Response(request.method === 'HEAD' || body === '' ? null : body, { status, headers });
  };
