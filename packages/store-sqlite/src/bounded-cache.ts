/** Remembers at most so many of the things it made, and forgets first what was not asked for longest. */
export const boundedCache = <A>(capacity: number) => {
  const kept = new Map<string, A>();
  return (key: string, make: () => A): A => {
    const made = kept.get(key) ?? make();
    // A Map keeps the order of insertion: what is put back stands last.
    kept.delete(key);
    kept.set(key, made);
    const [oldest] = kept.keys();
    if (kept.size > capacity && oldest !== undefined) kept.delete(oldest);
    return made;
  };
};
