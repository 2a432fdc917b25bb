import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo, ListenOptions } from 'node:net';
import { limitConnections } from '@clinical-records/http-adapter';
import { CommandError } from './command-error.ts';
import type { Site } from './site.ts';

const host = '127.0.0.1';

/** How long requests in flight may take after the server is asked to stop. */
const gracePeriod = 10_000;

export type RunningServer = {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Accepts no new connections, and resolves once all requests in flight have their responses. */
  readonly stop: () => Promise<void>;
};

export const originOf = (port: number): string => `http://${host}:${port}`;

const listen = async (server: Server, options: ListenOptions): Promise<number> => {
  try {
    await once(server.listen({ ...options, host }), 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EADDRINUSE'
        ? `port ${options.port} is in use; choose another by --port`
        : `cannot listen: ${message}`,
      1,
    );
  }
  return (server.address() as AddressInfo).port;
};

/** Finds a port for several processes; 0 is any free port. Throws a `CommandError` if the port cannot be used. */
export const claimPort = async (port: number): Promise<number> => {
  const server = createServer();
  const claimed = await listen(server, { port });
  server.close();
  return claimed;
};

/** On Linux, each process gets its share of the connections. Elsewhere, the processes share one socket. */
const hasPortReuse = process.platform === 'linux';

/**
 * Listens only on this machine; port 0 is any free port. The listener is created for the origin, which is known once the
 * server listens. Throws a `CommandError` if the port cannot be used.
 */
export const serve = async (
  createListener: (origin: string) => RequestListener,
  { port, isPortShared }: Pick<Site, 'port' | 'isPortShared'>,
): Promise<RunningServer> => {
  const server = limitConnections(createServer());
  server.on('request', (_, response) => {
    response.on('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  const actualPort = await listen(server, { port, reusePort: isPortShared && hasPortReuse });
  const origin = originOf(actualPort);
  server.on('request', createListener(origin));
  return {
    origin,
    stop: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeIdleConnections();
      const impatience = setTimeout(() => server.closeAllConnections(), gracePeriod);
      await closed;
      clearTimeout(impatience);
    },
  };
};
