/** The searches of a type that US Core names. */
export type UsCoreSearches = {
  /** The elements at which each parameter looks: FHIRPath, below the resource. */
  readonly elements: Readonly<Record<string, string>>;
  /** The parameters whose values are dates or times: with `gt`, `ge`, `lt` and `le`, too. */
  readonly dates?: readonly string[];
  /** The parameters that are sent together. */
  readonly searches: readonly (readonly string[])[];
};

/**
 * The searches that US Core demands or recommends of the types that the demo clinic finds. Source: US Core 6.1.0, 7.0.0 and 8.0.0,
 * CapabilityStatement us-core-server, which are the same for these.
 */
export const usCoreSearches: Readonly<Record<string, UsCoreSearches>> = {
  CareTeam: {
    elements: { patient: 'subject', status: 'status', role: 'participant.role.coding' },
    searches: [['patient', 'status'], ['patient', 'role'], ['role']],
  },
  Goal: {
    elements: {
      ...{ patient: 'subject', description: 'description.coding', 'target-date': 'target.dueDate' },
      'lifecycle-status': 'lifecycleStatus',
    },
    dates: ['target-date'],
    searches: [
      ['patient'],
      ['patient', 'lifecycle-status'],
      ['patient', 'description'],
      ['patient', 'target-date'],
    ],
  },
  Immunization: {
    elements: { patient: 'patient', status: 'status', date: 'occurrenceDateTime' },
    dates: ['date'],
    searches: [['patient'], ['patient', 'status'], ['patient', 'date']],
  },
  AllergyIntolerance: {
    elements: { patient: 'patient', 'clinical-status': 'clinicalStatus.coding' },
    searches: [['patient'], ['patient', 'clinical-status']],
  },
  ServiceRequest: {
    elements: {
      ...{ _id: 'id', patient: 'subject', status: 'status', category: 'category.coding' },
      ...{ code: 'code.coding', authored: 'authoredOn' },
    },
    dates: ['authored'],
    searches: [
      ...[['_id'], ['patient'], ['patient', 'status'], ['patient', 'category'], ['patient', 'code']],
      ...[
        ['patient', 'category', 'authored'],
        ['patient', 'code', 'authored'],
      ],
    ],
  },
  Patient: {
    elements: {
      ...{ _id: 'id', identifier: 'identifier', name: 'name.family', family: 'name.family' },
      ...{ birthdate: 'birthDate', gender: 'gender', 'death-date': 'deceasedDateTime' },
    },
    searches: [
      ...[['_id'], ['identifier'], ['name'], ['birthdate', 'name'], ['gender', 'name']],
      ...[
        ['birthdate', 'family'],
        ['family', 'gender'],
        ['death-date', 'family'],
      ],
    ],
  },
  Practitioner: {
    elements: { _id: 'id', identifier: 'identifier', name: 'name.family' },
    searches: [['_id'], ['identifier'], ['name']],
  },
  Organization: {
    elements: { name: 'name', address: 'address.city' },
    searches: [['name'], ['address']],
  },
};
