/**
 * Makes a function that reads a body only once, however often it is called. If something else has already read from the
 * body, it returns an error, because the rest of the body would look like the whole.
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
