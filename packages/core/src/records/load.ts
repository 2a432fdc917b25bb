import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Result, storeFailure } from '../errors.ts';
import type { ClinicalStore, StoredRecord, StoreError } from '../store/port.ts';
import { type Loaded, loadedFrom, type RecordKind } from './record-kind.ts';

/** What a store says of itself outside of commits, where no conflict can be. */
export const asFailure = (error: StoreError): ClinicalError => storeFailure('store-unavailable', error);

/** Reads a record in order to decide on it. */
export const load =
  (store: ClinicalStore) =>
  <State>({ type }: RecordKind<State>, id: string): Result<Loaded<State>> =>
  async () =>
    E.bimap(asFailure, (stored: StoredRecord | null) => loadedFrom<State>(id, stored))(
      await store.read({ type, id })(),
    );
