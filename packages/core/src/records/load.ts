import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import { isErasedState } from './erased-record.ts';
import type { RecordDefinition } from './record-definition.ts';

/** A record that was read for a decision. */
export type ExistingRecord<State> = {
  readonly id: string;
  readonly stored: StoredRecord;
  readonly state: State;
};

/** A record that does not exist yet, or was erased. The id of an erased record cannot be used again. */
export type MissingRecord = {
  readonly id: string;
  readonly stored: null;
  readonly state: null;
  readonly isErased?: true;
};

export type LoadedRecord<State> = ExistingRecord<State> | MissingRecord;

export const recordExists = <State>(loaded: LoadedRecord<State>): loaded is ExistingRecord<State> =>
  loaded.stored !== null;

export const missingRecord = (id: string): MissingRecord => ({ id, stored: null, state: null });

/** Parses a stored record. An old state lacks elements that were added since, and may have null for an absent element. */
export const toLoadedRecord = <State>(id: string, stored: StoredRecord | null): LoadedRecord<State> => {
  if (stored === null) return missingRecord(id);
  const state: unknown = JSON.parse(stored.state);
  return isErasedState(state)
    ? { ...missingRecord(id), isErased: true }
    : { id, stored, state: state as State };
};

/** Reads a record for a decision. */
export const load = async <State>(
  store: ClinicalStore,
  { type }: RecordDefinition<State> | { readonly type: string },
  id: string,
): Outcome<LoadedRecord<State>> => {
  const read = await store.read({ type, id });
  return E.isLeft(read) ? E.left(toClinicalError(read.left)) : E.right(toLoadedRecord<State>(id, read.right));
};
