import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cutOff } from './cut-off.ts';
import { createPacer } from './pacer.ts';

/** The most requests that a client may send on a connection before the first response. */
const maxPipelined = 16;

/** Passes a request to the server's listeners after the response to the request before it on the same connection. */
export const serializeRequests = (server: Server): { readonly isHandling: (socket: Socket) => boolean } => {
  type QueuedRequest = { readonly response: ServerResponse; readonly handle: () => void };
  const queues = new WeakMap<Socket, QueuedRequest[]>();
  const emit = server.emit.bind(server);
  const pacer = createPacer();

  const handleNext = (queue: QueuedRequest[]): void => {
    const [queued] = queue;
    if (queued === undefined) return;
    const { socket } = queued.response.req;
    const before = socket.bytesWritten;
    queued.response.once('prefinish', () => pacer.noteSize(socket.bytesWritten - before));
    queued.response.once('close', () => {
      queue.shift();
      if (!socket.destroyed) handleNext(queue);
    });
    pacer.run(() => {
      if (!socket.destroyed) queued.handle();
    });
  };

  server.emit = (event: string, ...values: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...values);
    const [{ socket }, response] = values as [IncomingMessage, ServerResponse];
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    queue.push({ response, handle: () => emit(event, ...values) });
    if (queue.length === 1) handleNext(queue);
    else if (queue.length > maxPipelined) cutOff(socket);
    return true;
  };

  return {
    isHandling: (socket) => {
      const [queued] = queues.get(socket) ?? [];
      return queued !== undefined && !queued.response.writableEnded && socket.writableLength === 0;
    },
  };
};
