/**
 * Makes a function that reads a body once, however often it is called. Where somebody else has read of it by then, it answers
 * an error: what is left, or nothing, would be taken for all that was sent.
 */
export const readOnce = (
  isRead: () => boolean,
  read: () => Promise<Uint8Array>,
): (() => Promise<Uint8Array | Error>) => {
  let result: Promise<Uint8Array | Error> | undefined;
  const begin = async () =>
    isRead()
      ? new Error('The body was read before the interface could: mount it in front of what parses bodies.')
      : read();
  return () => {
    result ??= begin();
    return result;
  };
};
