import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { limitConnections } from '@clinical-records/http-adapter';
import { CommandError } from '../command/command-error.ts';
import type { Site } from './site.ts';

/** How long requests in flight may take after the server is asked to stop. */
const gracePeriod = 10_000;

export type RunningServer = {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Accepts no new connections, and resolves once all requests in flight have their responses. */
  readonly stop: () => Promise<void>;
};

/** The origin of an address and a port. An address of IPv6 is in brackets. Source: RFC 3986, 3.2.2. */
export const originOf = ({ host, port }: Pick<Site, 'host' | 'port'>): string =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`;

const listen = async (server: Server, options: ListenOptions): Promise<number> => {
  try {
    await once(server.listen(options), 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EADDRINUSE'
        ? `port ${options.port} is in use; choose another with --port`
        : `cannot listen: ${message}`,
      'port',
    );
  }
  return (server.address() as AddressInfo).port;
};

/** Finds a port for several processes; 0 is any free port. Throws a `CommandError` if the port cannot be used. */
export const claimPort = async ({ host, port }: Pick<Site, 'host' | 'port'>): Promise<number> => {
  const server = createServer();
  const claimed = await listen(server, { host, port });
  server.close();
  return claimed;
};

/** On Linux, each process gets its share of the connections. Elsewhere, the processes share one socket. */
const hasPortReuse = process.platform === 'linux';

/**
 * Listens on one address of this machine; port 0 is any free port. The listener is created for the origin, which is known
 * once the server listens. After the signal, each response ends its connection. Throws a `CommandError` if the port cannot
 * be used.
 */
export const serve = async (
  createListener: (origin: string) => RequestListener,
  { host, port, isPortShared }: Pick<Site, 'host' | 'port' | 'isPortShared'>,
  signal: AbortSignal,
): Promise<RunningServer> => {
  const server = limitConnections(createServer());
  server.on('request', (_, response) => {
    if (signal.aborted) response.setHeader('connection', 'close');
    response.on('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  const actualPort = await listen(server, { host, port, reusePort: isPortShared && hasPortReuse });
  const origin = originOf({ host, port: actualPort });
  server.on('request', createListener(origin));
  return {
    origin,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const forcedEnd = setTimeout(() => server.closeAllConnections(), gracePeriod);
      await closed;
      clearTimeout(forcedEnd);
    },
  };
};
