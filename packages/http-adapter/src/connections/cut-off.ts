import type { Socket } from 'node:net';

/** Also frees the buffers of the operating system. After `destroy`, unread bytes would stay in them. */
export const cutOff = (socket: Socket): void => {
  socket.resetAndDestroy();
};
