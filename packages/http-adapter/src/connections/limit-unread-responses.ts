import type { Server, ServerResponse } from 'node:http';
import type { ConnectionLimits } from './connection-limits.ts';
import { cutOff } from './cut-off.ts';

/** How often deadlines are looked at, in milliseconds. */
export const sweepInterval = 1_000;

/** Cuts off clients that read their answers too slowly, and the longest waiting where too much waits for all of them. */
export const limitUnreadResponses = (
  server: Server,
  { readTimeout, minBytesPerSecond, maxWaitingBytes }: Required<ConnectionLimits>,
): void => {
  /** Answers that the system did not take whole, the oldest first, and when each is to be read. */
  const unread = new Map<ServerResponse, { readonly deadline: number }>();

  /** The newest stays, however large it is: nobody knows yet how fast it is read. */
  const makeRoomFor = (newest: ServerResponse): void => {
    let bytes = 0;
    for (const response of unread.keys()) bytes += response.writableLength;
    for (const response of unread.keys()) {
      if (bytes <= maxWaitingBytes || response === newest) return;
      bytes -= response.writableLength;
      unread.delete(response);
      cutOff(response.req.socket);
    }
  };

  // Before any listener of the host: one that answers at once would be missed.
  server.prependListener('request', (_, response) => {
    response.once('prefinish', () => {
      const length = response.writableLength;
      if (length === 0) return;
      const longest = readTimeout + (length / minBytesPerSecond) * 1_000;
      unread.set(response, { deadline: performance.now() + longest });
      response.once('close', () => unread.delete(response));
      makeRoomFor(response);
    });
  });

  let sweep: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    sweep = setInterval(() => {
      const now = performance.now();
      for (const [response, { deadline }] of unread) if (now > deadline) cutOff(response.req.socket);
    }, sweepInterval).unref();
  });
  server.on('close', () => clearInterval(sweep));
};
