import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

const isFree = async (port: number): Promise<boolean> => {
  const server = createServer().listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
    return true;
  } catch {
    return false;
  } finally {
    server.close();
  }
};

/**
 * A port on which nothing listens. The system never assigns a port of this range itself, so a server that is down still
 * has its port when it starts again.
 */
export const findFreePort = async (): Promise<number> => {
  const port = randomInt(12_000, 32_000);
  return (await isFree(port)) ? port : findFreePort();
};
