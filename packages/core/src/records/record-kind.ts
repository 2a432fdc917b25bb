import type { RecordRef } from '../store/port.ts';
import type { IndexEntry } from '../store/query.ts';

/** What is read of a record, and what it is found by. */
export type Derived = { readonly resource: object; readonly index: readonly IndexEntry[] };

/** How the records of one type are made from their states: pure, so that what is stored can be derived again. */
export type RecordKind<State> = {
  readonly type: string;
  readonly id: (state: State) => string;
  readonly patientId: (state: State) => string | null;
  /** Null while there is nothing to be read. */
  readonly derive: (state: State) => Derived | null;
  /** The records to which it refers: each was there before it, or came in the same commit, and stays. */
  readonly refersTo: (state: State) => readonly RecordRef[];
  /** What must hold among some records, where there is such a thing. */
  readonly agreement?: {
    readonly among: (state: State) => readonly RecordRef[];
    readonly isSound: (states: readonly State[]) => boolean;
  };
};

/** What is kept of a record besides its state: what derives from that. */
export const derivedFrom = <State>(kind: RecordKind<State>, state: State) => {
  const derived = kind.derive(state);
  return {
    id: kind.id(state),
    patientId: kind.patientId(state),
    resource: derived && JSON.stringify(derived.resource),
    index: derived?.index ?? [],
  };
};
