/**
 * The handling of elements that FHIR defines and the library does not store, and to unknown search parameters:
 * `lenient` ignores them, `strict` refuses them. Source: FHIR R4, RESTful API, 3.1.1.1.
 */
export type Handling = 'lenient' | 'strict';
