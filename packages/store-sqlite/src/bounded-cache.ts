/** Remembers what it made, by key, and no more than its capacity. */
export type BoundedCache<A> = {
  readonly get: (key: string, make: () => A) => A;
  readonly clear: () => void;
};

/** Forgets what has gone unasked for longest. */
export const boundedCache = <A>(capacity: number): BoundedCache<A> => {
  const kept = new Map<string, A>();
  return {
    get: (key, make) => {
      const made = kept.get(key) ?? make();
      // A Map keeps the order of insertion: what is put back stands last.
      kept.delete(key);
      kept.set(key, made);
      const [oldest] = kept.size > capacity ? kept.keys() : [];
      if (oldest !== undefined) kept.delete(oldest);
      return made;
    },
    clear: () => kept.clear(),
  };
};
