/** The interactions, profiles and searches of a type of resource, as FHIR's `CapabilityStatement.rest.resource`. */
export type ResourceCapabilities = {
  /** The type, such as `Patient`. */
  readonly type: string;
  /** Any other element, such as `interaction`. */
  readonly [element: string]: unknown;
};

/** The host's additions to the capability statement of the interface. */
export type HostCapabilities = {
  /**
   * The resources that the host serves under the same base URL. For a type that can also be read here, the two descriptions
   * are merged.
   */
  readonly resource?: readonly ResourceCapabilities[];
  /** An element of FHIR's CapabilityStatement, such as `publisher` or `instantiates`. */
  readonly [element: string]: unknown;
};

/** Throws if the host describes a type of the interface itself, or one twice. FHIR R4, CapabilityStatement, cpb-9. */
export const checkHostCapabilities = (
  { resource = [] }: HostCapabilities,
  servedTypes: readonly string[],
): void => {
  const types = [...servedTypes, ...resource.map(({ type }) => type)];
  if (new Set(types).size < types.length) {
    throw new Error('capabilities.resource must describe each type once, and none of the interface itself.');
  }
};
