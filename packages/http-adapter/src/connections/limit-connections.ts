import type { Server } from 'node:http';
import type { ConnectionLimits } from './connection-limits.ts';
import { cutOff } from './cut-off.ts';
import { limitUnreadResponses, sweepInterval } from './limit-unread-responses.ts';
import { serializeRequests } from './serialize-requests.ts';

/**
 * Limits what clients can take of a server of `node:http`, whatever it serves: connections, time and memory. To be called
 * before it listens.
 *
 * @example
 * const server = limitConnections(createServer(toNodeListener(handler)));
 * server.listen(3000, '127.0.0.1');
 */
export const limitConnections = <S extends Server>(server: S, limits: ConnectionLimits = {}): S => {
  const all: Required<ConnectionLimits> = {
    maxConnections: 4_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    readTimeout: 10_000,
    minBytesPerSecond: 1_000,
    maxWaitingBytes: 32 * 1024 * 1024,
    ...limits,
  };
  const { maxConnections, headersTimeout, requestTimeout, keepAliveTimeout, readTimeout } = all;
  Object.assign(server, { maxConnections, headersTimeout, requestTimeout, keepAliveTimeout });
  // How often Node compares them with the clock: every 30 s by itself.
  Object.assign(server, { connectionsCheckingInterval: sweepInterval });
  const { isHandling } = serializeRequests(server);
  limitUnreadResponses(server, all);
  // A socket times out where nothing moves on it. While an answer is being made, that is not the client's fault.
  server.setTimeout(readTimeout, (socket) => {
    if (socket.writableLength > 0) cutOff(socket);
    else if (!isHandling(socket)) socket.destroy();
  });
  return server;
};
