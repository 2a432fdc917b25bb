import { isConnectionLost } from '../postgres-errors.ts';
import { runQuery } from '../transaction.ts';
import type { UseClient } from '../use-client.ts';

/** The time in milliseconds after which the primary is asked again whether transactions are still open. */
const pauseBetweenQuestions = 10;

/** The transactions of the host in which a store has written, until they are known to have ended. */
type OpenTransactions = {
  readonly add: (id: string) => void;
  /** Whether all have ended. If it is not known, the primary is asked, and a later call returns the answer. */
  readonly haveEnded: () => boolean;
};

/** Nobody says when the transaction of a tool ends, and what it wrote must be read from then on. */
export const createOpenTransactions = (use: UseClient, onEnd: () => void): OpenTransactions => {
  const open = new Set<string>();
  let isAsked = false;
  let nextQuestion = 0;

  const ask = async (): Promise<void> => {
    isAsked = true;
    const ids = [...open];
    const text = "select id from unnest($1::text[]) as id where pg_xact_status(id::xid8) = 'in progress'";
    try {
      const { rows } = await use((client) => runQuery(client, { text, values: [ids] }));
      const stillOpen = new Set((rows as readonly { readonly id: string }[]).map(({ id }) => id));
      for (const id of ids) if (!stillOpen.has(id)) open.delete(id);
      if (stillOpen.size < ids.length) onEnd();
    } catch (cause) {
      if (isConnectionLost(cause)) return;
      // Another server is the primary now, and does not know them.
      open.clear();
      onEnd();
    } finally {
      isAsked = false;
      nextQuestion = performance.now() + pauseBetweenQuestions;
    }
  };

  return {
    add: (id) => {
      open.add(id);
    },
    haveEnded: () => {
      if (open.size > 0 && !isAsked && performance.now() >= nextQuestion) void ask();
      return open.size === 0;
    },
  };
};
