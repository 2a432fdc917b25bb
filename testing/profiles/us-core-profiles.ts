/** The demands of a US Core profile beyond those of FHIR R4. A path is FHIRPath, below the resource. */
export type UsCoreProfile = {
  /** The elements that are present wherever the element around them is. */
  readonly required?: readonly string[];
  /** The elements that occur at most once. */
  readonly single?: readonly string[];
  /** The elements with a code that the profile takes from one code system, by the system. */
  readonly codedIn?: Readonly<Record<string, string>>;
  /** FHIRPath that must be true. */
  readonly invariants?: readonly string[];
  /** The elements that a server must be able to fill. */
  readonly mustSupport?: readonly string[];
  /** The types to which a server must be able to refer, by element. */
  readonly references?: Readonly<Record<string, readonly string[]>>;
};

const extension = (name: string) =>
  `extension('http://hl7.org/fhir/us/core/StructureDefinition/us-core-${name}')`;

const agent = (code: string) => `agent.where(type.coding.code = '${code}')`;
const author = agent('author');
const transmitter = agent('transmitter');

/**
 * The profiles of the resources that are served, and of those to which the demo clinic refers. Sources: US Core 6.1.0, the
 * differentials of the StructureDefinitions, such as us-core-careteam; what must be supported also from 7.0.0 and 8.0.0, which
 * only add to it.
 */
export const usCoreProfiles: Readonly<Record<string, UsCoreProfile>> = {
  CareTeam: {
    required: ['subject', 'participant', 'participant.role', 'participant.member'],
    single: ['participant.role'],
    mustSupport: ['status', 'subject', 'participant', 'participant.role', 'participant.member'],
    references: { subject: ['Patient'], 'participant.member': ['Practitioner', 'RelatedPerson'] },
  },
  Goal: {
    mustSupport: [
      ...['lifecycleStatus', 'description', 'subject', 'startDate', 'target', 'target.dueDate'],
      'expressedBy',
    ],
    references: { subject: ['Patient'], expressedBy: ['Practitioner'] },
  },
  Immunization: {
    codedIn: { vaccineCode: 'http://hl7.org/fhir/sid/cvx' },
    mustSupport: [
      ...['status', 'statusReason', 'vaccineCode', 'patient', 'occurrenceDateTime', 'primarySource'],
      ...['encounter', 'location', 'lotNumber', 'performer', 'performer.actor'],
    ],
    references: {
      ...{ patient: ['Patient'], encounter: ['Encounter'], location: ['Location'] },
      'performer.actor': ['Practitioner'],
    },
  },
  ServiceRequest: {
    required: ['code'],
    mustSupport: [
      ...['status', 'intent', 'category', 'code', 'subject', 'occurrencePeriod', 'authoredOn', 'requester'],
      ...['reasonReference', 'encounter', 'code.text'],
    ],
    references: { subject: ['Patient'], encounter: ['Encounter'], requester: ['Practitioner'] },
  },
  Patient: {
    required: ['identifier', 'identifier.system', 'identifier.value', 'name', 'gender'],
    invariants: ['name.all(family.exists() or given.exists())'],
    mustSupport: [
      ...['identifier', 'identifier.system', 'identifier.value', 'name', 'name.family', 'name.given'],
      ...['name.suffix', 'name.period.end', "name.where(use = 'old')"],
      ...[
        'telecom',
        'telecom.system',
        'telecom.value',
        'telecom.use',
        'gender',
        'birthDate',
        'deceasedDateTime',
      ],
      ...['address', 'address.line', 'address.city', 'address.state', 'address.postalCode'],
      ...['address.period.end', "address.where(use = 'old')", 'communication', 'communication.language'],
      ...['race', 'ethnicity', 'tribal-affiliation', 'sex'].map(extension),
    ],
  },
  Practitioner: {
    required: ['identifier', 'name', 'name.family'],
    mustSupport: [
      ...['identifier', 'identifier.system', 'identifier.value', 'name', 'name.family'],
      ...['telecom', 'telecom.system', 'telecom.value', "identifier.where(system.endsWith('us-npi'))"],
    ],
  },
  Organization: {
    required: ['active', 'name'],
    mustSupport: [
      ...['identifier', 'identifier.system', 'identifier.value', 'active', 'name'],
      ...['telecom', 'telecom.system', 'telecom.value', "identifier.where(system.endsWith('us-npi'))"],
      ...[
        'address',
        'address.line',
        'address.city',
        'address.state',
        'address.postalCode',
        'address.country',
      ],
    ],
  },
  Encounter: { required: ['type', 'subject'] },
  AllergyIntolerance: {
    required: ['code'],
    mustSupport: [
      ...['clinicalStatus', 'verificationStatus', 'code', 'patient', 'reaction', 'reaction.manifestation'],
    ],
    references: { patient: ['Patient'] },
  },
  Condition: { required: ['category', 'code'] },
  Location: { required: ['name'] },
  Provenance: {
    invariants: ["agent.where(who.reference.matches('^(Practitioner|Device)/')).all(onBehalfOf.exists())"],
    mustSupport: [
      ...['target', 'target.reference', 'recorded', 'agent', 'agent.type'],
      ...[`${author}.who`, `${author}.onBehalfOf`, `${transmitter}.who`, `${transmitter}.onBehalfOf`],
    ],
    references: {
      [`${author}.who`]: ['Organization'],
      [`${author}.onBehalfOf`]: ['Organization'],
      [`${transmitter}.who`]: ['Organization'],
      [`${transmitter}.onBehalfOf`]: ['Organization'],
    },
  },
};
