/**
 * Every object and array in a value, the value among them.
 * No recursion: whoever sends the value says how deep it is. A Set goes on to what is added to it, and knows circles.
 */
export function* partsOf(value: unknown): Generator<object> {
  const within = new Set([value]);
  for (const held of within) {
    if (typeof held !== 'object' || held === null) continue;
    yield held;
    for (const part of Object.values(held)) if (typeof part === 'object') within.add(part);
  }
}
