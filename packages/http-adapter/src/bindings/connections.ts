import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { nextTick } from 'node:process';
import { requireNumbers } from '@clinical-records/core/store';

/** Limits for the clients of a server. Times are in milliseconds. */
export type ConnectionLimits = {
  /** The most open connections; a further one is closed at once. Default: 4,000. */
  readonly maxConnections?: number;
  /** The longest time to send the headers of a request. Default: 10 s. */
  readonly headersTimeout?: number;
  /** The longest time to send a request with its body. Default: 30 s. Uploads to the host may need more. */
  readonly requestTimeout?: number;
  /** How long a connection may stay open after a response. Default: 5 s. */
  readonly keepAliveTimeout?: number;
  /** How long a client may read nothing of a response. Default: 10 s. It is disconnected within twice that time. */
  readonly readTimeout?: number;
  /** The bytes of a response that a client must read each second, on average. Default: 1,000. */
  readonly minBytesPerSecond?: number;
  /** The most bytes of responses that may wait for all clients together. Default: 32 MiB. */
  readonly maxWaitingBytes?: number;
};

/** Also frees the buffers of the operating system. After `destroy`, unread bytes would stay in them. */
const cutOff = (socket: Socket): void => {
  socket.resetAndDestroy();
};

/** The bytes of responses that one turn of the event loop creates, as far as earlier responses predict them. */
const bytesPerTurn = 4 * 1024 * 1024;

/** The least size that is assumed for a response. So a turn creates at most 32. */
const minExpectedBytes = 128 * 1024;

/** The time in milliseconds after which the rest of a turn's work is postponed, so that other work has a turn in between. */
const timePerTurn = 5;

export type Pacer = {
  /** Runs work now or in a later turn of the event loop, in the order of the calls. */
  readonly run: (work: () => void) => void;
  /** Reports the size of a response. */
  readonly noteSize: (bytes: number) => void;
};

/**
 * Spreads work over turns of the event loop. Everything that one turn creates is in memory at the same time, and the turn
 * blocks all other work.
 */
export const createPacer = (): Pacer => {
  const waiting: (() => void)[] = [];
  let planned = 0;
  let turnEnds = 0;
  let expected = minExpectedBytes;

  const isFull = () => planned > 0 && (planned + expected > bytesPerTurn || performance.now() > turnEnds);

  const begin = (work: () => void): void => {
    if (planned === 0) {
      turnEnds = performance.now() + timePerTurn;
      setImmediate(() => {
        planned = 0;
        beginWaiting();
      });
    }
    planned += expected;
    work();
  };

  const beginWaiting = (): void => {
    if (isFull()) return;
    const work = waiting.shift();
    if (work === undefined) return;
    begin(work);
    // A tick that a microtask requests runs after all microtasks of the work. Only then is the duration of the work known.
    queueMicrotask(() => nextTick(beginWaiting));
  };

  return {
    run: (work) => {
      if (waiting.length > 0 || isFull()) waiting.push(work);
      else begin(work);
    },
    noteSize: (bytes) => {
      expected = Math.max(minExpectedBytes, bytes, expected * 0.9);
    },
  };
};

/** How often the deadlines are checked, in milliseconds. */
const sweepInterval = 1_000;

/**
 * Disconnects clients that read their responses too slowly. If too many bytes wait for all clients, it disconnects
 * those that have waited longest.
 */
const limitUnreadResponses = (
  server: Server,
  { readTimeout, minBytesPerSecond, maxWaitingBytes }: Required<ConnectionLimits>,
): void => {
  /** The responses that the system has not accepted as a whole, oldest first, with their deadlines. */
  const unread = new Map<ServerResponse, { readonly deadline: number }>();

  /** The newest response stays, however large it is, because it is not known yet how fast it is read. */
  const makeRoomFor = (newest: ServerResponse): void => {
    let bytes = 0;
    for (const response of unread.keys()) bytes += response.writableLength;
    for (const response of unread.keys()) {
      if (bytes <= maxWaitingBytes || response === newest) return;
      bytes -= response.writableLength;
      unread.delete(response);
      cutOff(response.req.socket);
    }
  };

  // Added before any listener of the host, because a response that is sent at once would be missed.
  server.prependListener('request', (_, response) => {
    response.once('prefinish', () => {
      const length = response.writableLength;
      if (length === 0) return;
      const longest = readTimeout + (length / minBytesPerSecond) * 1_000;
      unread.set(response, { deadline: performance.now() + longest });
      response.once('close', () => unread.delete(response));
      makeRoomFor(response);
    });
  });

  let sweep: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    sweep = setInterval(() => {
      const now = performance.now();
      for (const [response, { deadline }] of unread) if (now > deadline) cutOff(response.req.socket);
    }, sweepInterval).unref();
  });
  server.on('close', () => clearInterval(sweep));
};

/** The most requests that a client may send on a connection before the first response. */
const maxPipelined = 16;

/** Passes a request to the server's listeners after the response to the request before it on the same connection. */
const serializeRequests = (server: Server): { readonly isHandling: (socket: Socket) => boolean } => {
  type QueuedRequest = { readonly response: ServerResponse; readonly handle: () => void };
  const queues = new WeakMap<Socket, QueuedRequest[]>();
  const emit = server.emit.bind(server);
  const pacer = createPacer();

  const handleNext = (queue: QueuedRequest[]): void => {
    const [queued] = queue;
    if (queued === undefined) return;
    const { socket } = queued.response.req;
    const before = socket.bytesWritten;
    queued.response.once('prefinish', () => pacer.noteSize(socket.bytesWritten - before));
    queued.response.once('close', () => {
      queue.shift();
      if (!socket.destroyed) handleNext(queue);
    });
    pacer.run(() => {
      if (!socket.destroyed) queued.handle();
    });
  };

  server.emit = (event: string, ...values: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...values);
    const [{ socket }, response] = values as [IncomingMessage, ServerResponse];
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    queue.push({ response, handle: () => emit(event, ...values) });
    if (queue.length === 1) handleNext(queue);
    else if (queue.length > maxPipelined) cutOff(socket);
    return true;
  };

  return {
    isHandling: (socket) => {
      const [queued] = queues.get(socket) ?? [];
      return queued !== undefined && !queued.response.writableEnded && socket.writableLength === 0;
    },
  };
};

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
