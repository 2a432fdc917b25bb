import { type ResourceType, resourceTypes } from '../fhir/resource-type.ts';

/** One version of a resource. */
export type VersionName = {
  /** The type of the resource. */
  readonly type: ResourceType;
  readonly id: string;
  /** Counts from 1. */
  readonly version: number;
};

const idPattern = /^([A-Z])-(.+)-([1-9]\d{0,14})$/;

/**
 * The id of the Provenance of a version: the initial of the type, the id of the resource, and the number of the version. It
 * fits into the 64 characters of FHIR if the id of the resource leaves room for these.
 */
export const formatProvenanceId = ({ type, id, version }: VersionName): string =>
  `${type[0]}-${id}-${version}`;

/** The version that an id names; null if it cannot name one. */
export const parseProvenanceId = (text: string): VersionName | null => {
  const [, initial, id, version] = idPattern.exec(text) ?? [];
  const type = resourceTypes.find((one) => one[0] === initial);
  return type === undefined || id === undefined ? null : { type, id, version: Number(version) };
};
