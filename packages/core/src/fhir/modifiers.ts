const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

/**
 * Whether a value has a `modifierExtension` anywhere in it, which may turn the meaning of the rest around.
 * Source: FHIR R4, Extensibility, 2.4.0.1.1.
 */
export const isModified = (value: unknown): boolean => {
  // No recursion: whoever sends the value says how deep it is.
  const within = [value].filter(isObject);
  for (let object = within.pop(); object !== undefined; object = within.pop()) {
    if (Object.hasOwn(object, 'modifierExtension')) return true;
    for (const held of Object.values(object)) if (isObject(held)) within.push(held);
  }
  return false;
};
