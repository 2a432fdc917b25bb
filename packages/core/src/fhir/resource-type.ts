/** The resources of records, which can be read and searched. */
export const resourceTypes = ['ServiceRequest', 'Goal', 'CareTeam', 'Immunization'] as const;

/** The type of a resource that can be read and searched. @useDeclaredType */
export type ResourceType = (typeof resourceTypes)[number];

/** Everything that can be read and searched: the resources of records, and what derives from their versions. */
export const servedTypes = [...resourceTypes, 'Provenance'] as const;

/** The type of anything that can be read and searched. @useDeclaredType */
export type ServedType = (typeof servedTypes)[number];
