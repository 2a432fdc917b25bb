import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import type { ClinicalStore, StoreError } from './port.ts';

/** A store as the function that opens it returns it. */
export type OpenStore = Omit<ClinicalStore, 'close'> & {
  /** Closes the store, as `ClinicalStore.close` does. Awaited, it rejects with a `ClinicalRecordsError`. */
  readonly close: () => TaskEither<StoreError, void> & PromiseLike<void>;
};
