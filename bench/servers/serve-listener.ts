import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child/answer-parent.ts';

/** The status that a server reports. */
export type ServerStatus = {
  readonly origin: string;
  readonly residentBytes: number;
};

/** Serves on a free port of this machine, and reports its status when its parent asks. */
export const serveListener = (listener: RequestListener): void => {
  const server = createServer(listener).listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    answerParent(
      (): ServerStatus => ({ origin: `http://127.0.0.1:${port}`, residentBytes: process.memoryUsage.rss() }),
    );
  });
};
