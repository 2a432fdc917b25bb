import type { Server } from 'node:http';
import { requireNumbers } from '../required-options.ts';
import type { ConnectionLimits } from './connection-limits.ts';
import { cutOff } from './cut-off.ts';
import { limitUnreadResponses, sweepInterval } from './limit-unread-responses.ts';
import { serializeRequests } from './serialize-requests.ts';

/**
 * Limits the connections, time and memory that clients of a `node:http` server can use, whatever it serves. Call it
 * before the server listens. Throws a RangeError if a limit is not a number of 0 or more.
 *
 * @example
 * const server = limitConnections(createServer(toNodeListener(handler)));
 * server.listen(3000, '127.0.0.1');
 */
export const limitConnections = <S extends Server>(server: S, limits: ConnectionLimits = {}): S => {
  const { maxConnections = 4_000, headersTimeout = 10_000, requestTimeout = 30_000 } = limits;
  const { keepAliveTimeout = 5_000, readTimeout = 10_000 } = limits;
  const { minBytesPerSecond = 1_000, maxWaitingBytes = 32 * 1024 * 1024 } = limits;
  const ofServer = { maxConnections, headersTimeout, requestTimeout, keepAliveTimeout };
  const all = { ...ofServer, readTimeout, minBytesPerSecond, maxWaitingBytes };
  requireNumbers(all, 0);
  Object.assign(server, ofServer);
  // How often Node checks the timeouts. Its default is every 30 s.
  Object.assign(server, { connectionsCheckingInterval: sweepInterval });
  const { isHandling } = serializeRequests(server);
  limitUnreadResponses(server, all);
  // A socket times out if nothing is sent or received. The client is not responsible while its response is being
  // created.
  server.setTimeout(readTimeout, (socket) => {
    if (socket.writableLength > 0) cutOff(socket);
    else if (!isHandling(socket)) socket.destroy();
  });
  return server;
};
