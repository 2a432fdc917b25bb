/**
 * Lists every object and array in a value, and the value itself. It does not recurse, because the sender decides how
 * deep the value is. A Set also lists what is added to it, and stops at circles.
 */
export function* walkObjects(value: unknown): Generator<object> {
  const found = new Set([value]);
  for (const value of found) {
    if (typeof value !== 'object' || value === null) continue;
    yield value;
    for (const part of Object.values(value)) if (typeof part === 'object') found.add(part);
  }
}
