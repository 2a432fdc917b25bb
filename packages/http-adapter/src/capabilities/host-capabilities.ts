import { resourceTypes } from '@clinical-records/core';

/** A resource that the host serves, as FHIR's `CapabilityStatement.rest.resource`. */
export type HostResource = {
  /** The type, such as `Patient`. */
  readonly type: string;
  /** Any other element, such as `interaction`. */
  readonly [element: string]: unknown;
};

/** The host's additions to the capability statement of the interface. */
export type HostCapabilities = {
  /** The resources that the host serves under the same base URL. */
  readonly resource?: readonly HostResource[];
  /** An element of FHIR's CapabilityStatement, such as `publisher` or `instantiates`. */
  readonly [element: string]: unknown;
};

/** Throws if the host describes a type that is served here, or one twice. FHIR R4, CapabilityStatement, cpb-9. */
export const checkHostCapabilities = ({ resource = [] }: HostCapabilities): void => {
  const types: readonly string[] = [...resourceTypes, ...resource.map(({ type }) => type)];
  if (new Set(types).size < types.length) {
    throw new Error('capabilities.resource must describe each type once, and none that is served here.');
  }
};
