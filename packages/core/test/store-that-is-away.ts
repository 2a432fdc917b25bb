import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalStore } from '../src/store/port.ts';
import type { StoreError } from '../src/store/store-error.ts';

export const unavailable: StoreError = { _tag: 'Unavailable', message: 'disk full', cause: 'ENOSPC' };

const fail = async () => E.left(unavailable);

/** A store of which nothing can be had: a test gives it the functions that it asks for. */
export const storeThatIsAway: ClinicalStore = {
  read: fail,
  readResource: fail,
  search: fail,
  readVersion: fail,
  history: fail,
  changesSince: fail,
  feedEnd: fail,
  scan: fail,
  indexedParameters: fail,
  close: async () => {},
  commit: fail,
  commitAll: fail,
};
