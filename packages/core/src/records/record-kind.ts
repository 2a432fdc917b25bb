import { Absent, Version } from '../store/expected-version.ts';
import type { Change, Premise, StoredRecord } from '../store/port.ts';
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
};

/** A record as it was read to decide on it. */
export type Present<State> = { readonly id: string; readonly stored: StoredRecord; readonly state: State };

/** That there is no such record yet. */
export type Missing = { readonly id: string; readonly stored: null; readonly state: null };

export type Loaded<State> = Present<State> | Missing;

export const isPresent = <State>(loaded: Loaded<State>): loaded is Present<State> => loaded.stored !== null;

export const absent = (id: string): Missing => ({ id, stored: null, state: null });

export const loadedFrom = <State>(id: string, stored: StoredRecord | null): Loaded<State> =>
  stored === null ? absent(id) : { id, stored, state: JSON.parse(stored.state) as State };

const unmoved = ({ stored }: Loaded<unknown>) => (stored === null ? Absent : Version(stored.version));

/** Whether two states are stored as the same text. */
export const isSameState = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Who did a thing, and when, in milliseconds since 1970 in UTC. */
export type Act = { readonly at: number; readonly by: string | null };

/** An act on a record, which is not dated before what was done to the record last, though the clock was set back since. */
export const actOn = ({ stored }: Loaded<unknown>, { at, by }: Act): Act => ({
  at: stored === null ? at : Math.max(at, stored.at),
  by,
});

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

/** The change of a record to a new state, if it has not moved on since it was loaded. */
export const changeTo = <State>(
  kind: RecordKind<State>,
  loaded: Loaded<State>,
  state: State,
  { at, by }: Act,
): Change => ({
  ...derivedFrom(kind, state),
  type: kind.type,
  at,
  by,
  state: JSON.stringify(state),
  expects: unmoved(loaded),
});

/** The premise that a record which is not written has not moved on either. */
export const premiseOf = (kind: RecordKind<never>, loaded: Loaded<unknown>): Premise => ({
  type: kind.type,
  id: loaded.id,
  expects: unmoved(loaded),
});
