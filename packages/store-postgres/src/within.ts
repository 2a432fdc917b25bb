/** Work has taken too long. It may still succeed or fail. */
export class LateError extends Error {}

/** The result of work. Rejects with a `LateError` if it takes longer than a time in milliseconds. */
export const within = async <A>(milliseconds: number, work: Promise<A>): Promise<A> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new LateError(`No answer within ${milliseconds} ms.`)), milliseconds);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

/** Whether work succeeds or fails within a time in milliseconds. */
export const settlesWithin = (milliseconds: number, work: Promise<unknown>): Promise<boolean> =>
  within(milliseconds, Promise.allSettled([work])).then(
    () => true,
    () => false,
  );
