/** Which lists of sentences quote what stands under a heading of the interface. */
export const sectionsByHeading: Readonly<Record<string, readonly string[]>> = {
  'Clinical Records REST Interface: ServiceRequest, Goal, CareTeam, Immunization': ['What the service does'],
  'What the service does': ['What the service does', 'Immunization, PUT'],
  'Resources and their fields': ['ServiceRequest'],
  'Resources and their fields > ServiceRequest (read-only)': [
    ...['Resources and their fields > ServiceRequest (read-only)', 'ServiceRequest', 'What the service does'],
  ],
  'Resources and their fields > Goal (read-only)': [
    ...['Resources and their fields > Goal (read-only)', 'Goal', 'What the service does'],
  ],
  'Resources and their fields > CareTeam': [
    ...[
      'Resources and their fields > CareTeam',
      'CareTeam, read and search',
      'CareTeam, PUT',
      'CareTeam PUT body',
    ],
  ],
  'Resources and their fields > Immunization': [
    ...['Resources and their fields > Immunization', 'Immunization, read and search', 'Immunization, POST'],
  ],
  'States and transitions > ServiceRequest.status': ['States and transitions'],
  'States and transitions > Goal.lifecycleStatus': ['States and transitions'],
  'States and transitions > CareTeam participants': ['States and transitions'],
  'States and transitions > Immunization.status': ['States and transitions'],
  Endpoints: ['Authentication', 'What the service does'],
  'Endpoints > Search bundle (returned by every search)': ['Search bundle'],
  'Endpoints > ServiceRequest': ['ServiceRequest'],
  'Endpoints > Goal': ['Goal'],
  'Endpoints > CareTeam': ['CareTeam, read and search', 'CareTeam, PUT', 'CareTeam PUT body'],
  'Endpoints > Immunization': ['Immunization, POST', 'Immunization, read and search', 'Immunization, PUT'],
  Authentication: ['Authentication'],
  Errors: ['Errors'],
  Limits: ['Paging'],
  Versioning: ['What the service does'],
};

const introduction = 'It introduces what follows, which has sentences of its own.';
const decided = 'The interface leaves it open: docs/decisions.md says what holds here.';
const elsewhere = 'It is outside of this library.';
const ofClients =
  'It asks something of clients. Here they need not heed it: docs/decisions.md, "Immunization".';

/** Words of the interface that no test shows, by their heading, with the reason. */
export const exemptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'Clinical Records REST Interface: ServiceRequest, Goal, CareTeam, Immunization': {
    'This document covers the whole interface: four FHIR-style resources (ServiceRequest, Goal, CareTeam, Immunization), all served over HTTP with JSON bodies under {base_url}':
      introduction,
    'Placeholder used below: {extension_base} is the namespace URL under which the service defines its own FHIR extension URLs':
      introduction,
  },
  'What the service does': {
    "The service exposes a patient's clinical chart through a FHIR-style API": introduction,
  },
  'Resources and their fields': {
    'In all tables, "array" and "object" are JSON types': introduction,
  },
  'Resources and their fields > ServiceRequest (read-only)': {
    'A request for a service for a patient': introduction,
  },
  'Resources and their fields > Goal (read-only)': {
    'The listed value is the goal-achievement system URL':
      'It contradicts the samples, which count: docs/decisions.md.',
  },
  'Resources and their fields > CareTeam': { Rules: introduction },
  'Resources and their fields > Immunization': {
    'Fields of the Patient, Practitioner, Condition, Encounter, Organization and Note records that are referenced: not shown':
      elsewhere,
  },
  'States and transitions > ServiceRequest.status': { 'Transitions: not shown': decided },
  'States and transitions > CareTeam participants': {
    'Transitions involving proposed, suspended and entered-in-error: not shown': decided,
  },
  'States and transitions > Immunization.status': { 'Transitions out of not-done: not shown': decided },
  Endpoints: { 'Error bodies are described under Errors': introduction },
  'Endpoints > Search bundle (returned by every search)': { 'Search bundle': introduction },
  'Endpoints > ServiceRequest': {
    'Search parameters': introduction,
    'the prefix and range semantics of date filtering: not shown': decided,
  },
  'Endpoints > CareTeam': {
    'CareTeam search parameters': introduction,
    'their effect on the update: not shown': decided,
  },
  'Endpoints > Immunization': {
    'POST body': introduction,
    'POST rules': introduction,
    'success status code: not shown': decided,
    'Do not issue concurrent requests referencing the same encounter to this endpoint or to any other endpoint that references encounters':
      ofClients,
  },
  Authentication: {
    'How an access token is obtained, its lifetime and its scopes: not shown': decided,
  },
  Events: { 'Events, webhooks or notifications: not shown': elsewhere },
  Errors: {
    'The exact conditions that trigger 400, 405 and 422 beyond those stated in the endpoint rules: not shown':
      decided,
  },
  Limits: {
    'Concurrency: requests referencing the same encounter must not be issued concurrently (Immunization POST and any other endpoint that references encounters)':
      ofClients,
    'Maximum page size, default page size and rate limits: not shown': decided,
  },
  Versioning: {
    'An interface version identifier, a version header and a deprecation policy: not shown': elsewhere,
  },
};

/** Sentences that exclude something without a word such as "only". A test of each says what is refused, too. */
export const exclusions: readonly string[] = [
  'Bodies on writes use `content-type: application/json`',
  'Send the header `accept: application/json`',
  'lifecycleStatus | enum | active, completed, entered-in-error',
  'status | enum | completed, entered-in-error, not-done',
  'The encounter description is: the encounter related to the note in the extension',
  'Common to all endpoints: header `Authorization: Bearer <ACCESS_TOKEN>` and `accept: application/json`',
  'Every request carries the header `Authorization: Bearer <ACCESS_TOKEN>`',
];
