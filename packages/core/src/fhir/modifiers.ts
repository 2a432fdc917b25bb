/**
 * Whether a value has a `modifierExtension` anywhere in it, which may turn the meaning of the rest around.
 * Source: FHIR R4, Extensibility, 2.4.0.1.1.
 */
export const isModified = (value: unknown): boolean => {
  // No recursion: whoever sends the value says how deep it is. A Set goes on to what is added to it, and knows circles.
  const within = new Set([value]);
  for (const held of within) {
    if (typeof held !== 'object' || held === null) continue;
    if (Object.hasOwn(held, 'modifierExtension')) return true;
    for (const part of Object.values(held)) if (typeof part === 'object') within.add(part);
  }
  return false;
};
