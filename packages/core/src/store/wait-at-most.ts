/** How long a function of the host may take, in milliseconds, if no option says so. */
const defaultTimeout = 10_000;

/** The error of a function of the host that takes too long. */
export class LateAnswer extends Error {}

/** Whether it has to be awaited: a promise, or a query that runs when it is awaited. */
const isThenable = <A>(returned: PromiseLike<A> | A): returned is PromiseLike<A> =>
  typeof (returned as Partial<PromiseLike<A>> | null | undefined)?.then === 'function';

/**
 * Waits for the result of a function of the host, which is named in the error if it takes too long. The host may not notice that nobody
 * waits any more.
 */
export const waitAtMost = async <A>(
  name: string,
  returned: PromiseLike<A> | A,
  milliseconds = defaultTimeout,
): Promise<A> => {
  if (!isThenable(returned)) return returned;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new LateAnswer(`${name}() returned nothing within ${milliseconds} ms.`)),
      milliseconds,
    );
  });
  try {
    return await Promise.race([returned, late]);
  } finally {
    clearTimeout(timer);
  }
};
