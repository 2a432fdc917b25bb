import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { cutOff } from './cut-off.ts';
import { createPace } from './pace.ts';

/** How many requests a client may send on a connection before the first of them is answered. */
const maxPipelined = 16;

/** Hands a request to the server's listeners once the request before it on its connection is answered. */
export const takeOneAtATime = (server: Server): { readonly isAtWork: (socket: Socket) => boolean } => {
  type Turn = { readonly response: ServerResponse; readonly take: () => void };
  const queues = new WeakMap<Socket, Turn[]>();
  const emit = server.emit.bind(server);
  const pace = createPace();

  const take = (queue: Turn[]): void => {
    const [turn] = queue;
    if (turn === undefined) return;
    const { socket } = turn.response.req;
    const before = socket.bytesWritten;
    turn.response.once('prefinish', () => pace.note(socket.bytesWritten - before));
    turn.response.once('close', () => {
      queue.shift();
      if (!socket.destroyed) take(queue);
    });
    pace.run(() => {
      if (!socket.destroyed) turn.take();
    });
  };

  server.emit = (event: string, ...values: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...values);
    const [{ socket }, response] = values as [IncomingMessage, ServerResponse];
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    queue.push({ response, take: () => emit(event, ...values) });
    if (queue.length === 1) take(queue);
    else if (queue.length > maxPipelined) cutOff(socket);
    return true;
  };

  return {
    isAtWork: (socket) => {
      const [turn] = queues.get(socket) ?? [];
      return turn !== undefined && !turn.response.writableEnded && socket.writableLength === 0;
    },
  };
};
