import type { RecordRef } from '../store/port.ts';
import type { IndexEntry } from '../store/query.ts';

/** What is read of a record, and what it is found by. */
export type DerivedResource = { readonly resource: object; readonly index: readonly IndexEntry[] };

/** How the records of one type are made from their states: pure, so that what is stored can be derived again. */
export type RecordDefinition<State> = {
  readonly type: string;
  readonly id: (state: State) => string;
  readonly patientId: (state: State) => string | null;
  /** Null while there is nothing to be read. */
  readonly derive: (state: State) => DerivedResource | null;
  /** The records to which it refers: each was there before it, or came in the same commit, and stays. */
  readonly refersTo: (state: State) => readonly RecordRef[];
  /** What must hold among some records, where there is such a thing. */
  readonly agreement?: {
    readonly among: (state: State) => readonly RecordRef[];
    readonly isSound: (states: readonly State[]) => boolean;
  };
};

/** What is kept of a record besides its state: what derives from that. */
export const deriveRecord = <State>(definition: RecordDefinition<State>, state: State) => {
  const derived = definition.derive(state);
  return {
    id: definition.id(state),
    patientId: definition.patientId(state),
    resource: derived && JSON.stringify(derived.resource),
    index: derived?.index ?? [],
  };
};
