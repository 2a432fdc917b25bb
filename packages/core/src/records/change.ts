import { Absent, Version } from '../store/expected-version.ts';
import type { Change, Premise } from '../store/port.ts';
import type { Loaded } from './load.ts';
import { derivedFrom, type RecordKind } from './record-kind.ts';

/** Who did a thing, and when, in milliseconds since 1970 in UTC. */
export type Act = { readonly at: number; readonly by: string | null };

/** An act on a record, which is not dated before what was done to the record last, though the clock was set back since. */
export const actOn = ({ stored }: Loaded<unknown>, { at, by }: Act): Act => ({
  at: stored === null ? at : Math.max(at, stored.at),
  by,
});

/** Whether two states are stored as the same text. */
export const isSameState = (one: unknown, other: unknown): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

const unmoved = ({ stored }: Loaded<unknown>) => (stored === null ? Absent : Version(stored.version));

/** The change of a record to a new state, if it has not moved on since it was loaded. Throws for a `by` that is no well-formed text. */
export const changeTo = <State>(
  kind: RecordKind<State>,
  loaded: Loaded<State>,
  state: State,
  { at, by }: Act,
): Change => {
  // A store would keep something else in its place.
  if (by !== null && !(typeof by === 'string' && by.isWellFormed())) {
    throw new TypeError('by is the text that names who does it.');
  }
  return {
    ...derivedFrom(kind, state),
    type: kind.type,
    at,
    by,
    state: JSON.stringify(state),
    expects: unmoved(loaded),
  };
};

/** The premise that a record which is not written has not moved on either. */
export const premiseOf = (kind: RecordKind<never>, loaded: Loaded<unknown>): Premise => ({
  type: kind.type,
  id: loaded.id,
  expects: unmoved(loaded),
});
