/** The place of references in a resource: the names of its elements from the outside in. */
export type ReferencePath = readonly string[];

/** The references to the patient of a resource that has a `subject`. */
export const subjectReferences = { patient: ['subject'], subject: ['subject'] } as const;

/** The values of `_include` for a type, such as `Goal:patient`; `*` is all of them. Source: FHIR R4, Search, 3.1.1.5.4. */
export const includeValues = (
  type: string,
  references: Readonly<Record<string, ReferencePath>>,
): readonly string[] => [...Object.keys(references).map((name) => `${type}:${name}`), '*'];

const elementsAt = (value: unknown, name: string): readonly unknown[] => {
  const element: unknown = typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;
  return element === undefined ? [] : [element].flat();
};

/** The references of a resource at a path. */
export const readReferences = (resource: unknown, path: ReferencePath): readonly string[] =>
  [...path, 'reference']
    .reduce<readonly unknown[]>(
      (values, name) => values.flatMap((value) => elementsAt(value, name)),
      [resource],
    )
    .filter((reference) => typeof reference === 'string');
