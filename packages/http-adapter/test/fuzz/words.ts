import * as fc from 'fast-check';

export const resourceType = fc.constantFrom('ServiceRequest', 'Goal', 'CareTeam', 'Immunization');

export const tokens = fc.constantFrom('full', 'full', 'reader', 'amy', 'goals');

export const encoded = (text: string) => encodeURIComponent(text.toWellFormed());
