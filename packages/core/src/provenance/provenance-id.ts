import type { ResourceType } from '../fhir/resource-type.ts';
import type { ResourceFacts } from '../records/resource-facts.ts';

/** One version of a resource. */
export type VersionName = {
  /** The type of the resource. */
  readonly type: ResourceType;
  readonly id: string;
  /** Counts from 1. */
  readonly version: number;
};

/** The ids of the Provenances of some types of resources. */
export type ProvenanceIds = {
  readonly types: readonly ResourceType[];
  /**
   * The id of the Provenance of a version: the initial of the type, the id of the resource, and the number of the version. It
   * fits into the 64 characters of FHIR if the id of the resource leaves room for these.
   */
  readonly format: (version: VersionName) => string;
  /** The version that an id names; null if it cannot name one. */
  readonly parse: (text: string) => VersionName | null;
};

const idPattern = /^([A-Z][A-Za-z]*)-(.+)-([1-9]\d{0,14})$/;

/** Throws if two types have the same initial, because one id would then name versions of both. */
export const createProvenanceIds = (
  facts: readonly Pick<ResourceFacts, 'type' | 'initial'>[],
): ProvenanceIds => {
  const initials = new Map(facts.map(({ type, initial }) => [type, initial]));
  const types = new Map(facts.map(({ type, initial }) => [initial, type]));
  if (types.size < facts.length) {
    throw new RangeError('Two types of resources have the same initial in the ids of their Provenances.');
  }
  return {
    types: [...initials.keys()],
    format: ({ type, id, version }) => `${initials.get(type)}-${id}-${version}`,
    parse: (text) => {
      const [, initial = '', id, version] = idPattern.exec(text) ?? [];
      const type = types.get(initial);
      return type === undefined || id === undefined ? null : { type, id, version: Number(version) };
    },
  };
};
