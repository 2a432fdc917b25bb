/** The resources of the interface. */
export const resourceTypes = ['ServiceRequest', 'Goal', 'CareTeam', 'Immunization'] as const;

/** The name of a resource of the interface. */
export type ResourceType = (typeof resourceTypes)[number];
