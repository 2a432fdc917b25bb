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
};

/**
 * The profiles of the resources that are served, and of those to which the demo clinic refers. Source: US Core 6.1.0, the
 * differentials of the StructureDefinitions, such as us-core-careteam.
 */
export const usCoreProfiles: Readonly<Record<string, UsCoreProfile>> = {
  CareTeam: {
    required: ['subject', 'participant', 'participant.role', 'participant.member'],
    single: ['participant.role'],
    mustSupport: ['status', 'subject', 'participant', 'participant.role', 'participant.member'],
  },
  Goal: {
    mustSupport: ['lifecycleStatus', 'description', 'subject', 'startDate', 'target', 'target.dueDate'],
  },
  Immunization: {
    codedIn: { vaccineCode: 'http://hl7.org/fhir/sid/cvx' },
    mustSupport: [
      ...['status', 'statusReason', 'vaccineCode', 'patient', 'occurrenceDateTime', 'primarySource'],
    ],
  },
  ServiceRequest: {
    required: ['code'],
    mustSupport: [
      ...['status', 'intent', 'category', 'code', 'subject', 'occurrencePeriod', 'authoredOn', 'requester'],
    ],
  },
  Patient: {
    required: ['identifier', 'identifier.system', 'identifier.value', 'name', 'gender'],
    invariants: ['name.all(family.exists() or given.exists())'],
  },
  Practitioner: { required: ['identifier', 'name', 'name.family'] },
  Organization: { required: ['active', 'name'] },
  Encounter: { required: ['type', 'subject'] },
  Condition: { required: ['category', 'code'] },
  Location: { required: ['name'] },
  Provenance: {
    invariants: ["agent.where(who.reference.matches('^(Practitioner|Device)/')).all(onBehalfOf.exists())"],
    mustSupport: [
      ...['target', 'target.reference', 'recorded', 'agent', 'agent.type', 'agent.who', 'agent.onBehalfOf'],
    ],
  },
};
