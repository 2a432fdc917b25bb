import { toFullPrecision } from '../fhir/date-time.ts';
import { isObject } from './unpacker.ts';

/** Up to this length of an array, a value is also found at another index: others were left out, or are in another order. */
const maxSearched = 100;

const isValueStored = (value: unknown, values: readonly unknown[], index: number): boolean =>
  isStored(value, values[index]) ||
  (values.length <= maxSearched && values.some((stored) => isStored(value, stored)));

/** Whether a stored value has everything that was sent. A stored time has full precision. */
export const isStored = (sent: unknown, stored: unknown): boolean => {
  if (sent === stored || sent === undefined) return true;
  // No recursion without a stored value: a sender may nest as deep as it likes.
  if (stored === undefined) return Array.isArray(sent) && sent.length === 0;
  if (Array.isArray(sent)) {
    const values: readonly unknown[] = Array.isArray(stored) ? stored : [];
    return sent.every((value, index) => isValueStored(value, values, index));
  }
  if (!isObject(sent)) return typeof sent === 'string' && toFullPrecision(sent) === stored;
  if (!isObject(stored)) return false;
  for (const name of Object.keys(sent)) if (!isStored(sent[name], stored[name])) return false;
  return true;
};

/** How many texts, numbers and flags of a sent value a stored one has in the same places. */
const countStored = (sent: unknown, stored: unknown): number => {
  if (typeof sent !== 'object' || sent === null) return isStored(sent, stored) ? 1 : 0;
  if (typeof stored !== 'object' || stored === null) return 0;
  return Object.entries(sent).reduce(
    (sum, [name, part]) => sum + countStored(part, Reflect.get(stored, name)),
    0,
  );
};

/** The stored value that has most of a sent one; undefined if none has anything of it. */
const findClosest = (value: unknown, values: readonly unknown[], index: number): unknown => {
  let closest: unknown;
  let most = 0;
  for (const candidate of values.length <= maxSearched ? [values[index], ...values] : [values[index]]) {
    const count = countStored(value, candidate);
    if (count > most) [closest, most] = [candidate, count];
  }
  return closest;
};

const isElementName = (name: string): boolean => /^_?[A-Za-z]\w{0,63}$/.test(name);

const addLostElements = (sent: unknown, stored: unknown, element: string, lost: string[]): void => {
  if (Array.isArray(sent)) {
    const values: readonly unknown[] = Array.isArray(stored) ? stored : [];
    sent.forEach((value, index) => {
      if (isValueStored(value, values, index)) return;
      const closest = findClosest(value, values, index);
      if (closest === undefined) lost.push(element);
      else addLostElements(value, closest, element, lost);
    });
  } else if (isObject(sent) && isObject(stored)) {
    for (const name of Object.keys(sent)) {
      if (isStored(sent[name], stored[name])) continue;
      const inner = isElementName(name) ? `${element}.${name}` : element;
      addLostElements(sent[name], stored[name], inner, lost);
    }
  } else lost.push(element);
};

/**
 * The elements of a sent resource that a stored one lacks, or has with another value. Each is named by its path without indexes,
 * as often as it is lost.
 */
export const findLostElements = (sent: unknown, stored: unknown, type: string): readonly string[] => {
  const lost: string[] = [];
  addLostElements(sent, stored, type, lost);
  return lost;
};
