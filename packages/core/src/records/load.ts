import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ClinicalError, storeFailure } from '../errors.ts';
import type { ClinicalStore, StoreError } from '../store/port.ts';
import { type Loaded, loadedFrom, type RecordKind } from './record-kind.ts';

/** What a store says of itself outside of commits, where no conflict can be. */
export const asFailure = (error: StoreError): ClinicalError => storeFailure('store-unavailable', error);

/** Reads a record in order to decide on it. */
export const load =
  (store: ClinicalStore) =>
  <State>({ type }: RecordKind<State>, id: string): TE.TaskEither<ClinicalError, Loaded<State>> =>
    pipe(
      store.read({ type, id }),
      TE.bimap(asFailure, (stored) => loadedFrom<State>(id, stored)),
    );
