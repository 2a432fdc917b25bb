import type { ReferencePath } from '../fhir/reference-parameters.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { SearchParameterTable } from '../search/parameters.ts';
import type { IndexResource } from './sort-key.ts';

/** The search parameters of a type. `$everything` and the events of a chart search each type by the first two. */
export type ChartParameters = SearchParameterTable & {
  readonly patient: { readonly kind: 'patient' };
  readonly _lastUpdated: { readonly kind: 'lastUpdated' };
};

/**
 * The facts about a type of resource on which what all types share depends: reads, searches, includes and Provenances. They
 * are passed to it, so that no layer below the types lists them.
 */
export type ResourceFacts<Type extends ResourceType = ResourceType, Resource = never> = {
  readonly type: Type;
  /** Begins the ids of its Provenances. No two types have the same. */
  readonly initial: string;
  /** The URL of its US Core profile. */
  readonly profile: string;
  /** Whether a derived resource conforms to its profile. */
  readonly conforms: (resource: Resource) => boolean;
  readonly parameters: ChartParameters;
  /** The index entries of a resource, if a search can sort by one of its dates. */
  readonly index?: IndexResource;
  /**
   * The search parameters that name references to patients, practitioners, organizations and encounters, with their places.
   * Source: FHIR R4, the search parameters of each type.
   */
  readonly references: Readonly<Record<string, ReferencePath>>;
  readonly elements: {
    /** The elements that FHIR or US Core demands. `[x]` at the end stands for the type of a choice. */
    readonly mandatory: readonly string[];
    /** The other elements that FHIR marks as a part of the summary, as far as resources here have them. */
    readonly summary: readonly string[];
  };
};
