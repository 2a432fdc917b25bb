import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A wire to a server, which can be cut, with all that goes over it, and mended. */
export const createWire = async (origin: string) => {
  const { hostname, port } = new URL(origin);
  const sockets = new Set<Socket>();
  const wire = createServer((from) => {
    const to = connect(Number(port), hostname);
    for (const [socket, other] of [
      [from, to],
      [to, from],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.destroy();
      });
      socket.pipe(other);
    }
  });
  const listen = async (at: number) => {
    await once(wire.listen(at, hostname), 'listening');
    return (wire.address() as AddressInfo).port;
  };
  const ownPort = await listen(0);
  const cut = async () => {
    const closed = once(wire, 'close');
    wire.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  return { origin: `http://${hostname}:${ownPort}`, cut, mend: () => listen(ownPort) };
};
