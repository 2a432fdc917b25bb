/**
 * What reads a body once, however often it is asked for. Of a body of which somebody else has read by then, the rest, or
 * nothing, would be taken for all that was sent: there is an error instead.
 */
export const readOnce = (
  isRead: () => boolean,
  read: () => Promise<Uint8Array>,
): (() => Promise<Uint8Array | Error>) => {
  let reading: Promise<Uint8Array | Error> | undefined;
  const begin = async () =>
    isRead()
      ? new Error('The body was read before the interface could: mount it in front of what parses bodies.')
      : read();
  return () => {
    reading ??= begin();
    return reading;
  };
};
