import type { Server, ServerResponse } from 'node:http';
import type { ConnectionLimits } from './connection-limits.ts';
import { cutOff } from './cut-off.ts';

/** How often the deadlines are checked, in milliseconds. */
export const sweepInterval = 1_000;

/**
 * Disconnects clients that read their responses too slowly. If too many bytes wait for all clients, it disconnects
 * those that have waited longest.
 */
export const limitUnreadResponses = (
  server: Server,
  { readTimeout, minBytesPerSecond, maxWaitingBytes }: Required<ConnectionLimits>,
): void => {
  /** The responses that the system has not accepted as a whole, oldest first, with their deadlines. */
  const unread = new Map<ServerResponse, { readonly deadline: number }>();

  /** The newest response stays, however large it is, because it is not known yet how fast it is read. */
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

  // Added before any listener of the host, because a response that is sent at once would be missed.
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
