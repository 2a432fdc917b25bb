import { isId } from '../fhir/id.ts';

/**
 * Creates a UUID of version 7. It begins with the time, so that successive ids are next to each other in an index.
 * Source: RFC 9562, 5.7.
 */
export const createUuid = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  // In a UUID of version 4, the part after the version is random, except the variant, which both versions share.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
};

/** Makes ids with `newId` of the host. Throws for an invalid id, because a URL with it would not lead to a resource. */
export const createIdSource = (newId: () => string) => (): string => {
  const made: unknown = newId();
  if (isId(made)) return made;
  throw new TypeError('newId() must return a FHIR id: 1 to 64 letters, digits, "-" or ".".');
};
