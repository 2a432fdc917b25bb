/** The resources of the interface. */
export const resourceTypes = ['ServiceRequest', 'Goal', 'CareTeam', 'Immunization'] as const;

/** The name of a resource of the interface. @useDeclaredType */
export type ResourceType = (typeof resourceTypes)[number];
