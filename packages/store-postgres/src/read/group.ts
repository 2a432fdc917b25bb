type Waiting<Request, A> = {
  readonly request: Request;
  readonly resolve: (result: A) => void;
  readonly reject: (cause: unknown) => void;
};

/** How requests are answered: one by itself, or several together, in their order. */
type GroupSettings<Request, A> = {
  readonly answerOne: (request: Request) => Promise<A>;
  readonly answerAll: (requests: readonly Request[]) => Promise<readonly A[]>;
  /** The most requests that are answered together. */
  readonly maxGroup: number;
};

/**
 * Answers together what is requested in one turn of the event loop, or while the group before is being answered. A query
 * costs more than a record in it.
 */
export const createGroup = <Request, A>({
  answerOne,
  answerAll,
  maxGroup,
}: GroupSettings<Request, A>): ((request: Request) => Promise<A>) => {
  const waiting: Waiting<Request, A>[] = [];
  let isAnswering = false;

  const answerGroup = async ([first, ...others]: readonly Waiting<Request, A>[]): Promise<void> => {
    if (first === undefined) return;
    const group = [first, ...others];
    try {
      if (others.length === 0) first.resolve(await answerOne(first.request));
      else {
        const results = await answerAll(group.map(({ request }) => request));
        for (const [at, result] of results.entries()) group[at]?.resolve(result);
      }
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  };

  const answerWaiting = async (): Promise<void> => {
    // All requests of a turn wait before the first is sent.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await answerGroup(waiting.splice(0, maxGroup));
    isAnswering = false;
  };

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (isAnswering) return;
      isAnswering = true;
      void answerWaiting();
    });
};
