import type { ResourceType } from './resource-type.ts';

/** The place of references in a resource: the names of its elements from the outside in. */
export type ReferencePath = readonly string[];

const subject = { patient: ['subject'], subject: ['subject'] } as const;

/**
 * The search parameters that name references to patients, practitioners, organizations and encounters, with their places.
 * Source: FHIR R4, the search parameters of each type.
 */
export const referenceParameters: Readonly<Record<ResourceType, Readonly<Record<string, ReferencePath>>>> = {
  ServiceRequest: {
    ...subject,
    encounter: ['encounter'],
    performer: ['performer'],
    requester: ['requester'],
  },
  Goal: subject,
  CareTeam: { ...subject, participant: ['participant', 'member'] },
  Immunization: {
    patient: ['patient'],
    manufacturer: ['manufacturer'],
    performer: ['performer', 'actor'],
  },
};

/** The values of `_include` for a type, such as `Goal:patient`; `*` is all of them. Source: FHIR R4, Search, 3.1.1.5.4. */
export const includeValues = (type: ResourceType): readonly string[] => [
  ...Object.keys(referenceParameters[type]).map((name) => `${type}:${name}`),
  '*',
];

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
