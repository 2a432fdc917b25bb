/**
 * A UUID of version 7: it begins with the time, so that ids made one after the other lie side by side in an index.
 * Source: RFC 9562, 5.7.
 */
export const newUuid = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  // Of a UUID of version 4, all that follows its version is random, or the variant, which both share.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
};
