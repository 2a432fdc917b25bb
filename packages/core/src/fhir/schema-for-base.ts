/**
 * Remembers the schema for each `extensionBase`. Building one takes a millisecond or more, and each transaction of a host needs it
 * (`records.in`).
 */
export const schemaForBase = <Schema>(
  create: (extensionBase: string) => Schema,
): ((extensionBase: string) => Schema) => {
  const schemas = new Map<string, Schema>();
  return (extensionBase) => {
    const known = schemas.get(extensionBase);
    if (known !== undefined) return known;
    const created = create(extensionBase);
    schemas.set(extensionBase, created);
    return created;
  };
};
