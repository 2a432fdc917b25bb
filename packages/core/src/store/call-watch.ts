import type { Transaction } from './port.ts';

/** The calls of a transaction that have begun. */
export type CallWatch = Pick<Transaction, 'watch'> & {
  /** Throws an Error that names the calls that still run. */
  readonly requireEnded: () => void;
};

/** Keeps the calls in a transaction, for the end of its callback. */
export const createCallWatch = (): CallWatch => {
  const running = new Map<Promise<unknown>, string>();
  return {
    watch: (call, name) => {
      running.set(call, name);
      const end = () => running.delete(call);
      call.then(end, end);
    },
    requireEnded: () => {
      if (running.size === 0) return;
      const names = [...new Set(running.values())].join(', ');
      throw new Error(`A call was not awaited: ${names}. Await each call before the transaction ends.`);
    },
  };
};
