/** The references in a resource, at any depth and in their order. It does not recurse, however deep the resource is. */
export const referencesIn = (resource: object): readonly string[] => {
  const references: string[] = [];
  const waiting = [resource];
  for (let part = waiting.pop(); part !== undefined; part = waiting.pop()) {
    for (const name of Object.keys(part).toReversed()) {
      const element: unknown = Reflect.get(part, name);
      if (typeof element === 'object' && element !== null) waiting.push(element);
      else if (name === 'reference' && typeof element === 'string') references.push(element);
    }
  }
  return references;
};

/** A value in which each reference to `from` is a reference to `to`. */
export const replaceReference = <Value>(value: Value, from: string, to: string): Value => {
  const replaceIn = (part: unknown, name: string): unknown => {
    if (name === 'reference' && part === from) return to;
    if (Array.isArray(part)) return part.map((one) => replaceIn(one, ''));
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, replaceIn(inner, key)]));
  };
  return replaceIn(value, '') as Value;
};
