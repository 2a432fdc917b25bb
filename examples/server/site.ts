import type { Grant } from './tokens.ts';

/** The file that a process serves, and how. It can be sent to another process. */
export type Site = {
  /** The SQLite file. */
  readonly data: string;
  readonly port: number;
  /** Whether other processes listen on the same port. */
  readonly isPortShared: boolean;
  readonly basePath: string;
  readonly grants: readonly Grant[];
  readonly hasDemo: boolean;
  readonly isTokenPrinted: boolean;
};
