import { isNotPrepared } from './postgres-errors.ts';
import type { Statement } from './statement.ts';
import { runStatement } from './statement.ts';
import type { UseClient } from './use-client.ts';

/** Runs statements that only read, each at one moment. */
export type Reader = <Args, Row>(statement: Statement<Args, Row>, args: Args) => Promise<readonly Row[]>;

export const createReader =
  (use: UseClient): Reader =>
  async (statement, args) => {
    const run = () => use((client) => runStatement(client, statement, args));
    try {
      return await run();
    } catch (cause) {
      if (isNotPrepared(cause)) return run();
      throw cause;
    }
  };
