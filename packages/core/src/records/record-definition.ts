import type { ResourceType } from '../fhir/resource-type.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { RecordRef } from '../store/port.ts';

/** The resource that a record is read as, and the index entries by which a search finds it. */
export type DerivedResource = { readonly resource: object; readonly index: readonly IndexEntry[] };

/** Defines how records of one type derive from their states. Its functions are pure, so stored records can be derived again. */
export type RecordDefinition<State> = {
  readonly type: string;
  readonly id: (state: State) => string;
  readonly patientId: (state: State) => string | null;
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
export type RecordDefinitions = Readonly<
  Record<ResourceType, RecordDefinition<never>> & Record<string, RecordDefinition<never>>
>;
