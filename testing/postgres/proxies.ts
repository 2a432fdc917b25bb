import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Passes on what the server answers on one connection. */
type PassAnswer = (bytes: Buffer, client: Socket) => void;

/** A way to a server, or to the one that it leads to later. `accept` returns how a connection is answered; null if it is not. */
const startProxy = async (serverUrl: string, accept: () => PassAnswer | null) => {
  let { hostname, port } = new URL(serverUrl);
  const sockets = new Set<Socket>();
  const track = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.once('close', () => sockets.delete(socket));
    return socket;
  };
  const proxy = createServer((client) => {
    track(client);
    const passAnswer = accept();
    if (passAnswer === null) return;
    const server = track(connect(Number(port), hostname));
    client.pipe(server);
    server.on('data', (bytes: Buffer) => passAnswer(bytes, client));
    server.once('close', () => client.destroy());
    client.once('close', () => server.destroy());
  }).listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(serverUrl);
  url.host = `127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  return {
    url: url.href,
    sockets,
    leadTo: (nextUrl: string) => {
      ({ hostname, port } = new URL(nextUrl));
    },
    close: () => {
      proxy.close();
      for (const socket of sockets) socket.destroy();
    },
  };
};

/**
 * A way to a server that can fall silent: then it still accepts connections and bytes, and nothing comes back. It can lead to another
 * server afterwards. With a `delay` in milliseconds, responses arrive so much later. Those of a server that ends meanwhile are lost.
 */
export const startSilentProxy = async (
  serverUrl: string,
  { delay = 0 }: { readonly delay?: number } = {},
) => {
  let isSilent = false;
  const { url, sockets, leadTo, close } = await startProxy(serverUrl, () => {
    if (isSilent) return null;
    if (delay > 0) return (bytes, client) => setTimeout(() => client.write(bytes), delay);
    return (bytes, client) => client.write(bytes);
  });
  return {
    url,
    /** Ends it, and closes all connections. */
    close,
    /** Cuts the server off, without a word to its clients. */
    fallSilent: () => {
      isSilent = true;
      for (const socket of sockets) {
        socket.unpipe();
        socket.removeAllListeners('data');
      }
    },
    /** Leads new connections to a server. Those from before stay silent, as behind a proxy that does not end them. */
    leadTo: (nextUrl: string) => {
      leadTo(nextUrl);
      isSilent = false;
    },
  };
};

/** How a proxy harms the answers of its server. */
export type Harm =
  /** Ends the connection in the packet in which the server becomes ready. */
  | 'terminate'
  /** Resets the connection in the middle of such a packet. */
  | 'reset'
  /** Sends each answer byte by byte. */
  | 'drip';

/** What PostgreSQL sends when it ends a connection. Source: PostgreSQL, "Message Formats". */
const termination = (): Buffer => {
  const fields = ['SFATAL', 'VFATAL', 'C57P01', 'Mterminating connection due to administrator command', ''];
  const text = Buffer.from(fields.map((field) => `${field}\0`).join(''));
  const length = Buffer.alloc(4);
  length.writeInt32BE(length.length + text.length);
  return Buffer.concat([Buffer.from('E'), length, text]);
};

/** Whether an answer ends: the server is ready for the next query, in or outside of a transaction. */
const endsAnswer = (bytes: Buffer): boolean => bytes.subarray(-6, -1).equals(Buffer.from('Z\0\0\0\x05'));

/**
 * A way to a server, which ends a connection at one of its answers: the first connection when it is made, the second after its first
 * query, and so on up to `answers`. Then it begins again. With `drip`, it ends none.
 */
export const startHostileProxy = async (
  serverUrl: string,
  { harm, answers = 1 }: { readonly harm: Harm; readonly answers?: number },
) => {
  let [connections, harmed] = [0, 0];
  const { url, close } = await startProxy(serverUrl, () => {
    const unharmed = connections++ % answers;
    let answered = 0;
    return (bytes, client) => {
      if (harm === 'drip') {
        for (const byte of bytes) client.write(Buffer.from([byte]));
        return;
      }
      if (!endsAnswer(bytes) || answered++ < unharmed) {
        client.write(bytes);
        return;
      }
      harmed += 1;
      if (harm === 'terminate') client.end(Buffer.concat([bytes, termination()]));
      else client.write(bytes.subarray(0, bytes.length / 2), () => client.resetAndDestroy());
    };
  });
  return { url, close, countHarmed: () => harmed };
};
