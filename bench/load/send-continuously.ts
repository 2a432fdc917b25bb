import { connect, type Socket } from 'node:net';

const headEnd = Buffer.from('\r\n\r\n');

/** The length in bytes of the response at the beginning of the bytes; null while its head is incomplete. */
const responseLength = (bytes: Buffer): number | null => {
  const end = bytes.indexOf(headEnd);
  if (end === -1) return null;
  const [, length] = /\r\ncontent-length: (\d+)/i.exec(bytes.toString('latin1', 0, end)) ?? [];
  if (length === undefined) throw new Error('A response does not have a Content-Length.');
  return end + headEnd.length + Number(length);
};

/** Keeps one request in flight on an open connection, and calls back after each response. */
export const sendContinuously = (
  origin: string,
  next: () => string,
  onStatus: (status: number) => void,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const { hostname, port } = new URL(origin);
    const socket = connect(Number(port), hostname);
    let received: Buffer | null = null;
    socket.setNoDelay(true);
    socket.on('connect', () => {
      socket.write(next());
      resolve(socket);
    });
    socket.on('error', reject);
    socket.on('data', (chunk: Buffer) => {
      received = received === null ? chunk : Buffer.concat([received, chunk]);
      const length = responseLength(received);
      if (length === null || received.length < length) return;
      const status = Number(received.toString('latin1', 9, 12));
      received = null;
      onStatus(status);
      if (!socket.destroyed) socket.write(next());
    });
  });
