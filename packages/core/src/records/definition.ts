import type { ReferencePath } from '../fhir/reference.ts';
import type { ElementPath, StoredParameterTable } from '../search/index-entries.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { RecordRef } from '../store/port.ts';

/** The resource that a record is read as, and the index entries by which a search finds it. */
export type DerivedResource = { readonly resource: object; readonly index: readonly IndexEntry[] };

/** Defines how records of one type derive from their states. Its functions are pure, so stored records can be derived again. */
export type RecordDefinition<State> = {
  readonly type: string;
  readonly id: (state: State) => string;
  readonly patientId: (state: State) => string | null;
  /** Whether its type is not defined any more. Its index entries cannot be derived again, and stay. */
  readonly isRetired?: true;
  /** Null while there is no resource to read. */
  readonly derive: (state: State) => DerivedResource | null;
  /** The records to which it refers. Each exists before it, or is written in the same commit, and stays. */
  readonly refersTo: (state: State) => readonly RecordRef[];
  /**
   * The same state of another patient, into whom the one it belongs to was merged. Null for a record that stays, because its
   * id is that of its patient, or because it belongs to none.
   */
  readonly withPatient: ((state: State, from: string, to: string) => object) | null;
  /** A rule that must hold among some records, if there is one. */
  readonly agreement?: {
    readonly among: (state: State) => readonly RecordRef[];
    readonly isSound: (states: readonly State[]) => boolean;
  };
};

/** The definitions of all records by their types: of every resource, and of everything else that is stored. */
export type RecordDefinitions = ReadonlyMap<string, RecordDefinition<never>>;

/** The search parameters of a type. `$everything` and the events of a chart search each type by the first two. */
type ChartParameters = StoredParameterTable & {
  readonly patient: { readonly kind: 'patient' };
  readonly _lastUpdated: { readonly kind: 'lastUpdated' };
};

/** The facts about a type of resource on which its searches depend. */
export type SearchFacts = {
  readonly type: string;
  /** The path of its searches below the base of the interface, if it is not the type. */
  readonly path?: string;
  readonly parameters: StoredParameterTable;
  readonly elements: {
    /** The elements that FHIR or US Core demands. `[x]` at the end stands for the type of a choice. */
    readonly mandatory: readonly string[];
    /** The other elements that FHIR marks as a part of the summary, as far as resources here have them. */
    readonly summary: readonly string[];
  };
};

/**
 * The facts about a type of resource on which what all types share depends: reads, searches, includes and Provenances. They
 * are passed to it, so that no layer below the types lists them.
 */
export type ResourceFacts<Type extends string = string, Resource = never> = SearchFacts & {
  readonly type: Type;
  /** Begins the ids of its Provenances. No two types have the same. */
  readonly initial: string;
  /** The URL of its US Core profile. */
  readonly profile: string;
  /** Whether a derived resource conforms to its profile. */
  readonly conforms: (resource: Resource) => boolean;
  /** The place of the code that is `entered-in-error` if the resource is. */
  readonly inError: ElementPath<Resource>;
  readonly parameters: ChartParameters;
  /**
   * The search parameters that name references to patients, practitioners, organizations and encounters, with their places.
   * Source: FHIR R4, the search parameters of each type.
   */
  readonly references: Readonly<Record<string, ReferencePath>>;
};
