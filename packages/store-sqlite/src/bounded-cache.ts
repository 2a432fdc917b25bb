/** Keeps created values by key. */
export type BoundedCache<A> = {
  readonly get: (key: string, make: () => A) => A;
  readonly clear: () => void;
};

/**
 * Keeps at least as many of the recently used values as its capacity, and at most twice as many.
 *
 * Values are not moved within a `Map`. A `Map` whose entries are moved is rebuilt again and again, and each old version
 * of it keeps the next one from being collected.
 */
export const createBoundedCache = <A>(capacity: number): BoundedCache<A> => {
  let recent = new Map<string, A>();
  let older = new Map<string, A>();
  const remember = (key: string, made: A): A => {
    if (recent.size === capacity) {
      older = recent;
      recent = new Map();
    }
    recent.set(key, made);
    return made;
  };
  return {
    get: (key, make) => recent.get(key) ?? remember(key, older.get(key) ?? make()),
    clear: () => {
      recent = new Map();
      older = new Map();
    },
  };
};
