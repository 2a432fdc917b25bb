import { readFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerParent } from '../child/answer-parent.ts';

export type ServerStatus = {
  readonly origin: string;
  /** The processor time that its process has used, and its database server. */
  readonly processorMicroseconds: number;
  /** Its own memory, without mapped files, which the system can drop at any time; null if the system does not report it. */
  readonly anonymousBytes: number | null;
};

const readProcessorTime = (): number => {
  const { user, system } = process.cpuUsage();
  return user + system;
};

/** Linux reports the memory of a process in kibibytes. */
const readAnonymousBytes = (): number | null => {
  if (process.platform !== 'linux') return null;
  const [, kibibytes] = /^RssAnon:\s+(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8')) ?? [];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
};

/** Serves on a free port of this machine, and reports its status when its parent asks. */
export const serveListener = (
  listener: RequestListener,
  readDatabaseProcessorTime: () => number = () => 0,
): void => {
  const server = createServer(listener).listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo;
    answerParent(
      (): ServerStatus => ({
        origin: `http://127.0.0.1:${port}`,
        processorMicroseconds: readProcessorTime() + readDatabaseProcessorTime(),
        anonymousBytes: readAnonymousBytes(),
      }),
    );
  });
};
