import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ClinicalStore, StoreError } from './port.ts';

/** An open store, as a function such as `openSqliteStore` returns it. */
export type OpenStore = Omit<ClinicalStore, 'close'> & {
  /** Closes the store, as `ClinicalStore.close` does. Awaited, it rejects with a `ClinicalRecordsError`. */
  readonly close: () => TaskEither<StoreError, void> & PromiseLike<void>;
};
