/** Remembers what it made, by key. */
export type BoundedCache<A> = {
  readonly get: (key: string, make: () => A) => A;
  readonly clear: () => void;
};

/**
 * Remembers at least as many as its capacity of those asked for last, and at most twice as many.
 *
 * What is remembered stays where it is: a `Map` that entries are moved in makes itself anew ever again, and of all that
 * it was, each keeps the next from being collected.
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
