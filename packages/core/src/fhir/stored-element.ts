import type * as z from 'zod';
import { isPresent } from './element.ts';
import { parseReference } from './reference.ts';
import type { JsonObject } from './schema.ts';

/** A part of an element as it is stored: without empty arrays, and with the type of each reference. */
const toStoredPart = (part: unknown): unknown => {
  if (Array.isArray(part)) return part.map(toStoredPart);
  return typeof part === 'object' && part !== null ? toStoredObject(part as JsonObject) : part;
};

const toStoredObject = (value: JsonObject): JsonObject => {
  const stored: Record<string, unknown> = {};
  for (const name of Object.keys(value)) {
    const part = value[name];
    if (isPresent(part)) stored[name] = toStoredPart(part);
    if (name !== 'reference' || typeof part !== 'string') continue;
    // Elsewhere, `reference` is the name of a URL. The type comes next, as in a reference that is read and sent again.
    const target = parseReference(part);
    if (target !== null) stored.type = target.type;
  }
  return stored;
};

/** A valid element as it is stored and read: as it was sent, but without empty arrays, and with the type of each reference. */
export const toStoredElement = <Element>(value: Element): Element => toStoredPart(value) as Element;

/** Returns a function that takes the elements of a group from a value, as they are stored; undefined if it has none. */
export const createElementStorer = <Elements extends object>(group: z.ZodRawShape) => {
  const names = Object.keys(group);
  return (value: Elements): Elements | undefined => {
    let stored: Record<string, unknown> | undefined;
    for (const name of names) {
      const element = (value as JsonObject)[name];
      if (!isPresent(element)) continue;
      stored ??= {};
      stored[name] = toStoredPart(element);
    }
    return stored as Elements | undefined;
  };
};
