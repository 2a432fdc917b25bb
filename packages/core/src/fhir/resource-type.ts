/** The resources that can be read and searched. */
export const resourceTypes = ['ServiceRequest', 'Goal', 'CareTeam', 'Immunization'] as const;

/** The type of a resource that can be read and searched. @useDeclaredType */
export type ResourceType = (typeof resourceTypes)[number];
