import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections } from '@clinical-records/http-adapter';
import { CommandError } from './command-error.ts';

const host = '127.0.0.1';

/** How long requests in flight may take after the server is asked to stop. */
const gracePeriod = 10_000;

export type RunningServer = {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Accepts no new connections, and resolves once all requests in flight have their responses. */
  readonly stop: () => Promise<void>;
};

/** Listens only on this machine; port 0 is any free port. Throws a `CommandError` if the port cannot be used. */
export const serve = async (listener: RequestListener, port: number): Promise<RunningServer> => {
  const server = limitConnections(createServer(listener));
  server.on('request', (_, response) => {
    response.on('close', () => {
      if (!server.listening) server.closeIdleConnections();
    });
  });
  try {
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    const { code, message } = cause as NodeJS.ErrnoException;
    throw new CommandError(
      code === 'EADDRINUSE'
        ? `port ${port} is in use; choose another by --port`
        : `cannot listen: ${message}`,
      1,
    );
  }
  return {
    origin: `http://${host}:${(server.address() as AddressInfo).port}`,
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
