import type {
  InterfaceDescription,
  JsonSchema,
  ResourceDescription,
  ServedType,
} from '@clinical-records/core';

/** The description of a type of resource for its operations. */
export type TypeDescription = Pick<ResourceDescription, 'resource' | 'parameters' | 'bodies' | 'staged'> & {
  /** Whether its resources have versions: not if the host or the directory serves them. */
  readonly isVersioned: boolean;
};

/** A resource that the interface only refers to. The host or the directory determines its other elements. */
const referencedSchema = (type: string): JsonSchema => ({
  type: 'object',
  description: `A ${type} of FHIR R4.`,
  properties: { resourceType: { type: 'string', const: type }, id: { type: 'string' } },
  required: ['resourceType', 'id'],
  additionalProperties: true,
});

/** Describes a type that is served. */
export const describeType = ({ resources }: InterfaceDescription, type: string): TypeDescription =>
  Object.hasOwn(resources, type)
    ? { ...resources[type as ServedType], isVersioned: true }
    : { resource: referencedSchema(type), parameters: [], bodies: {}, isVersioned: false };
