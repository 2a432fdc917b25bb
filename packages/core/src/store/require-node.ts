/** Throws an Error on a Node that is older than `engines` in package.json allows. */
export const requireNode = (): void => {
  // Node 20 has no methods of sets and of iterators. Without this check, some calls would fail as if the store did.
  if ('intersection' in Set.prototype) return;
  throw new Error('This Node is too old: clinical-records needs Node 22.23.2 or newer.');
};
