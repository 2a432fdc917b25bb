/** The resources of the interface. */
export const resourceTypes = ['ServiceRequest', 'Goal', 'CareTeam', 'Immunization'] as const;

export type ResourceType = (typeof resourceTypes)[number];
