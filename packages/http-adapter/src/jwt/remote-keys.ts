import { createRemoteJWKSet, errors, type JWTVerifyGetKey } from 'jose';

/** For how many milliseconds after a fetch the token of an unknown key does not cause another. */
const unknownKeyCooldown = 30_000;

/** For how many milliseconds after a failure keys are not fetched again. */
const failureCooldown = 5000;

/**
 * Finds the keys of a URL. They are fetched when they are first needed, and when they are older than `maxAge`: once for all tokens
 * of that moment. If that fails, those of the last fetch are used for the time of `staleIfError`. As long as it
 * fails, a token of an unknown key rejects with the cause, because its key may be new. Times are in milliseconds.
 */
export const createRemoteKeys = (
  url: URL,
  { maxAge, staleIfError }: { readonly maxAge: number; readonly staleIfError: number },
): JWTVerifyGetKey => {
  // When to fetch is decided here.
  const keys = createRemoteJWKSet(url, {
    cacheMaxAge: Number.POSITIVE_INFINITY,
    cooldownDuration: Number.POSITIVE_INFINITY,
  });
  let fetchedAt = Number.NEGATIVE_INFINITY;
  let failure: { readonly cause: unknown; readonly at: number } | null = null;

  /** Fetches the keys, unless that has just failed. */
  const fetchKeys = async (): Promise<void> => {
    if (failure !== null && Date.now() - failure.at < failureCooldown) throw failure.cause;
    try {
      await keys.reload();
      [fetchedAt, failure] = [Date.now(), null];
    } catch (cause) {
      failure = { cause, at: Date.now() };
      throw cause;
    }
  };

  const renew = async (age: number): Promise<void> => {
    const areUsable = age < maxAge + staleIfError;
    const wasFailing = failure !== null;
    const fetching = fetchKeys().catch((cause: unknown) => {
      if (!areUsable) throw cause;
    });
    // A server that hangs would otherwise delay every request.
    if (!(areUsable && wasFailing)) await fetching;
  };

  return async (header, token) => {
    const age = Date.now() - fetchedAt;
    if (age >= maxAge) await renew(age);
    try {
      return await keys(header, token);
    } catch (cause) {
      if (!(cause instanceof errors.JWKSNoMatchingKey)) throw cause;
      if (failure === null && Date.now() - fetchedAt < unknownKeyCooldown) throw cause;
      await fetchKeys();
      return keys(header, token);
    }
  };
};
