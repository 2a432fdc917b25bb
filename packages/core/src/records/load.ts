import * as E from 'fp-ts/lib/Either.js';
import { asFailure, type Result } from '../errors.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import type { RecordKind } from './record-kind.ts';

/** A record as it was read to decide on it. */
export type Present<State> = { readonly id: string; readonly stored: StoredRecord; readonly state: State };

/** That there is no such record yet. */
export type Missing = { readonly id: string; readonly stored: null; readonly state: null };

export type Loaded<State> = Present<State> | Missing;

export const isPresent = <State>(loaded: Loaded<State>): loaded is Present<State> => loaded.stored !== null;

export const absent = (id: string): Missing => ({ id, stored: null, state: null });

/** A record as it is stored. An old state lacks what states have had since, and may have null for what is absent. */
export const loadedFrom = <State>(id: string, stored: StoredRecord | null): Loaded<State> =>
  stored === null ? absent(id) : { id, stored, state: JSON.parse(stored.state) as State };

/** Reads a record in order to decide on it. */
export const load =
  <State>(store: ClinicalStore, { type }: RecordKind<State>, id: string): Result<Loaded<State>> =>
  async () => {
    const read = await store.read({ type, id })();
    return E.isLeft(read) ? E.left(asFailure(read.left)) : E.right(loadedFrom<State>(id, read.right));
  };
