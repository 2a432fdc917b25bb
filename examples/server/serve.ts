import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections } from '@clinical-records/http-adapter';
import { CommandError } from './command-error.ts';

const host = '127.0.0.1';

/** How long what is in flight may take, once the server is to stop. */
const gracePeriod = 10_000;

export type RunningServer = {
  /** Such as `http://127.0.0.1:3000`. */
  readonly origin: string;
  /** Lets nobody in any more, and resolves once what was in flight is answered. */
  readonly stop: () => Promise<void>;
};

/** Listens on this machine alone; 0 is any port that is free. Throws a `CommandError` where a port is not to be had. */
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
