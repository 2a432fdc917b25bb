import type { Socket } from 'node:net';

/** Frees what the system keeps for the connection, too: after a mere `destroy`, unread bytes would wait there. */
export const cutOff = (socket: Socket): void => {
  socket.resetAndDestroy();
};
