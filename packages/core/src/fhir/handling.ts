/**
 * Whether elements that FHIR defines and the interface does not store, and search parameters that are not known, are passed
 * over (`lenient`) or refused (`strict`). Source: FHIR R4, RESTful API, 3.1.1.1.
 */
export type Handling = 'lenient' | 'strict';
