import * as E from 'fp-ts/lib/Either.js';
import { asFailure, type Result } from '../errors.ts';
import type { ClinicalStore, StoredRecord } from '../store/port.ts';
import { type Loaded, loadedFrom, type RecordKind } from './record-kind.ts';

/** Reads a record in order to decide on it. */
export const load =
  (store: ClinicalStore) =>
  <State>({ type }: RecordKind<State>, id: string): Result<Loaded<State>> =>
  async () =>
    E.bimap(asFailure, (stored: StoredRecord | null) => loadedFrom<State>(id, stored))(
      await store.read({ type, id })(),
    );
