import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/**
 * A way to a server that can fall silent: then it still accepts connections and bytes, and nothing comes back. It can lead to another
 * server afterwards. With a `delay` in milliseconds, responses arrive so much later. Those of a server that ends meanwhile are lost.
 */
export const startSilentProxy = async (
  serverUrl: string,
  { delay = 0 }: { readonly delay?: number } = {},
) => {
  let { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  let isSilent = false;
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const proxy = createServer((client) => {
    track(client);
    if (isSilent) return;
    const server = track(connect(Number(port), hostname));
    client.pipe(server);
    if (delay === 0) server.pipe(client);
    else {
      server.on('data', (bytes) => setTimeout(() => client.write(bytes), delay));
      server.once('close', () => client.destroy());
    }
    client.once('close', () => server.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const close = () => {
    proxy.close();
    for (const socket of sockets) socket.destroy();
  };
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    /** Ends it, and closes all connections. */
    close,
    /** Cuts the server off, without a word to its clients. */
    fallSilent: () => {
      isSilent = true;
      for (const socket of sockets) socket.unpipe();
    },
    /** Leads new connections to a server. Those from before stay silent, as behind a proxy that does not end them. */
    leadTo: (nextUrl: string) => {
      ({ hostname, port } = new URL(nextUrl));
      isSilent = false;
    },
  };
};
