import { idPattern } from '../fhir/reference.ts';

/**
 * A UUID of version 7: it begins with the time, so that ids made one after the other lie side by side in an index.
 * Source: RFC 9562, 5.7.
 */
export const createUuid = (): string => {
  const time = Date.now().toString(16).padStart(12, '0');
  // Of a UUID of version 4, all that follows its version is random, or the variant, which both share.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${crypto.randomUUID().slice(15)}`;
};

/** The ids that a host makes. Throws for what is no id: it would stand in a URL, and lead to nothing. */
export const createIdSource = (newId: () => string) => (): string => {
  const made: unknown = newId();
  if (typeof made === 'string' && idPattern.test(made)) return made;
  throw new TypeError('newId() must return a FHIR id: 1 to 64 letters, digits, "-" or ".".');
};
