/** The place of an element: names and indexes, from the outside in. */
export type Path = readonly PropertyKey[];

/** The new value of an element; without a value, the element is removed. */
export type ElementEdit = { readonly path: Path; readonly value?: unknown };

type Parts = Record<PropertyKey, unknown>;

/** The value at a path; undefined if there is none. */
export const valueAt = (value: unknown, path: Path): unknown =>
  path.reduce<unknown>((part, step) => (part as Parts | null | undefined)?.[step], value);

const closeGaps = (array: unknown[]): void => {
  const kept = array.filter(() => true);
  array.length = 0;
  for (const one of kept) array.push(one);
};

/** A copy of a value in which some elements are changed. Only the objects around them are copied, each once. */
export const editElements = (value: unknown, edits: readonly ElementEdit[]): unknown => {
  const copies = new Set<unknown>();
  const copyOnce = (part: unknown): Parts => {
    if (copies.has(part)) return part as Parts;
    const copy = Array.isArray(part) ? [...part] : { ...(part as object) };
    copies.add(copy);
    return copy as Parts;
  };
  const whole = copyOnce(value);
  for (const { path, value: changed } of edits) {
    const last = path.at(-1) as PropertyKey;
    let holder = whole;
    for (const step of path.slice(0, -1)) {
      const part = copyOnce(holder[step]);
      holder[step] = part;
      holder = part;
    }
    if (changed === undefined) delete holder[last];
    else holder[last] = changed;
  }
  for (const copy of copies) if (Array.isArray(copy)) closeGaps(copy);
  return whole;
};
