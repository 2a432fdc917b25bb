/** The organization for which the clinic's authors act. It also provides the resources to clients. */
export type UsCoreOrganization = {
  /** The reference to it, such as `Organization/31`. */
  readonly reference: `Organization/${string}`;
  /** Its name. */
  readonly display?: string | undefined;
};

/** The values of a host that only US Core needs. */
export type UsCoreOptions = {
  /** The organization that the clinic is, or belongs to. */
  readonly organization: UsCoreOrganization;
};

/** The URL of the US Core profile of a type of resource. */
export const usCoreProfile = (type: string): string =>
  `http://hl7.org/fhir/us/core/StructureDefinition/us-core-${type.toLowerCase()}`;
