import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What clients may take of a server. Times are in milliseconds. */
export type ConnectionLimits = {
  /** How many connections may be open; a further one is closed at once. 4,000, if this is not given. */
  readonly maxConnections?: number;
  /** How long the head of a request may take; 10 s, if this is not given. */
  readonly headersTimeout?: number;
  /** How long a whole request may take, with its body; 30 s, if this is not given. Uploads of the host may need more. */
  readonly requestTimeout?: number;
  /** How long a connection may stay open after an answer; 5 s, if this is not given. */
  readonly keepAliveTimeout?: number;
  /** How long a client may read nothing of an answer; 10 s, if this is not given. It is cut off within twice that time. */
  readonly readTimeout?: number;
  /** How many bytes a second a client must read of an answer, on average; 1,000, if this is not given. */
  readonly minBytesPerSecond?: number;
  /** How many bytes of answers may wait for all clients together; 32 MiB, if this is not given. */
  readonly maxWaitingBytes?: number;
};

/** How many requests a client may send on a connection before the first of them is answered. */
const maxPipelined = 16;

/** How many bytes of answers are made in one turn of the event loop, as far as the last ones tell. */
const bytesPerTurn = 4 * 1024 * 1024;

/** How large an answer is taken to be at least: so at most 32 are made in a turn. */
const leastExpected = 128 * 1024;

const sweepInterval = 1_000;

/** Frees what the system keeps for the connection, too: after a mere `destroy`, unread bytes would wait there. */
const cutOff = (socket: Socket): void => {
  socket.resetAndDestroy();
};

type Pace = {
  /** Does some work now or in a later turn of the event loop, in the order in which it came. */
  readonly run: (work: () => void) => void;
  /** Takes note of how large an answer was. */
  readonly note: (bytes: number) => void;
};

/** Spreads work over turns of the event loop: what is made in one turn is in memory together, whoever reads it. */
const createPace = (): Pace => {
  let waiting: (() => void)[] = [];
  let planned = 0;
  let expected = leastExpected;

  const next = () => {
    planned = 0;
    const batch = waiting;
    waiting = [];
    for (const work of batch) run(work);
  };

  const run = (work: () => void): void => {
    if (planned === 0) setImmediate(next);
    if (planned > 0 && planned + expected > bytesPerTurn) {
      waiting.push(work);
      return;
    }
    planned += expected;
    work();
  };

  return {
    run,
    note: (bytes) => {
      expected = Math.max(leastExpected, bytes, expected * 0.9);
    },
  };
};

/** Hands a request to the server's listeners once the request before it on its connection is answered. */
const takeOneAtATime = (server: Server): { readonly isAtWork: (socket: Socket) => boolean } => {
  type Turn = { readonly response: ServerResponse; readonly take: () => void };
  const queues = new WeakMap<Socket, Turn[]>();
  const emit = server.emit.bind(server);
  const pace = createPace();

  const take = (queue: Turn[]): void => {
    const [turn] = queue;
    if (turn === undefined) return;
    const { socket } = turn.response.req;
    const before = socket.bytesWritten;
    turn.response.once('prefinish', () => pace.note(socket.bytesWritten - before));
    turn.response.once('close', () => {
      queue.shift();
      if (!socket.destroyed) take(queue);
    });
    pace.run(() => {
      if (!socket.destroyed) turn.take();
    });
  };

  server.emit = (event: string, ...values: unknown[]): boolean => {
    if (event !== 'request') return emit(event, ...values);
    const [{ socket }, response] = values as [IncomingMessage, ServerResponse];
    const queue = queues.get(socket) ?? [];
    queues.set(socket, queue);
    queue.push({ response, take: () => emit(event, ...values) });
    if (queue.length === 1) take(queue);
    else if (queue.length > maxPipelined) cutOff(socket);
    return true;
  };

  return {
    isAtWork: (socket) => {
      const [turn] = queues.get(socket) ?? [];
      return turn !== undefined && !turn.response.writableEnded && socket.writableLength === 0;
    },
  };
};

/** Cuts off clients that read their answers too slowly, and the longest waiting where too much waits for all of them. */
const limitWaiting = (
  server: Server,
  { readTimeout, minBytesPerSecond, maxWaitingBytes }: Required<ConnectionLimits>,
): void => {
  /** Answers that the system did not take whole, the oldest first, and when each is to be read. */
  const waiting = new Map<ServerResponse, { readonly deadline: number }>();

  /** The newest stays, however large it is: nobody knows yet how fast it is read. */
  const makeRoomFor = (newest: ServerResponse): void => {
    let bytes = 0;
    for (const response of waiting.keys()) bytes += response.writableLength;
    for (const response of waiting.keys()) {
      if (bytes <= maxWaitingBytes || response === newest) return;
      bytes -= response.writableLength;
      waiting.delete(response);
      cutOff(response.req.socket);
    }
  };

  // Before any listener of the host: one that answers at once would be missed.
  server.prependListener('request', (_, response) => {
    response.once('prefinish', () => {
      const length = response.writableLength;
      if (length === 0) return;
      const longest = readTimeout + (length / minBytesPerSecond) * 1_000;
      waiting.set(response, { deadline: performance.now() + longest });
      response.once('close', () => waiting.delete(response));
      makeRoomFor(response);
    });
  });

  let sweep: NodeJS.Timeout | undefined;
  server.on('listening', () => {
    sweep = setInterval(() => {
      const now = performance.now();
      for (const [response, { deadline }] of waiting) if (now > deadline) cutOff(response.req.socket);
    }, sweepInterval).unref();
  });
  server.on('close', () => clearInterval(sweep));
};

/**
 * Limits what clients can take of a server of `node:http`, whatever it serves: connections, time and memory. To be called
 * before it listens.
 *
 * @example
 * const server = limitConnections(createServer(toNodeListener(handler)));
 * server.listen(3000, '127.0.0.1');
 */
export const limitConnections = <S extends Server>(server: S, limits: ConnectionLimits = {}): S => {
  const all: Required<ConnectionLimits> = {
    maxConnections: 4_000,
    headersTimeout: 10_000,
    requestTimeout: 30_000,
    keepAliveTimeout: 5_000,
    readTimeout: 10_000,
    minBytesPerSecond: 1_000,
    maxWaitingBytes: 32 * 1024 * 1024,
    ...limits,
  };
  const { maxConnections, headersTimeout, requestTimeout, keepAliveTimeout, readTimeout } = all;
  Object.assign(server, { maxConnections, headersTimeout, requestTimeout, keepAliveTimeout });
  // How often Node compares them with the clock: every 30 s by itself.
  Object.assign(server, { connectionsCheckingInterval: sweepInterval });
  const { isAtWork } = takeOneAtATime(server);
  limitWaiting(server, all);
  // A socket times out where nothing moves on it. While an answer is being made, that is not the client's fault.
  server.setTimeout(readTimeout, (socket) => {
    if (socket.writableLength > 0) cutOff(socket);
    else if (!isAtWork(socket)) socket.destroy();
  });
  return server;
};
