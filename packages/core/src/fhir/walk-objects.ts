/**
 * Every object and array in a value, the value among them.
 * No recursion: whoever sends the value says how deep it is. A Set goes on to what is added to it, and knows circles.
 */
export function* walkObjects(value: unknown): Generator<object> {
  const found = new Set([value]);
  for (const value of found) {
    if (typeof value !== 'object' || value === null) continue;
    yield value;
    for (const part of Object.values(value)) if (typeof part === 'object') found.add(part);
  }
}
