import type { RecordRef } from './port.ts';

/** Everything that can go wrong in a store. */
export type StoreError =
  | {
      /** A record did not have the expected version. */
      readonly _tag: 'Conflict';
      /** The record that did not have the expected version. */
      readonly ref: RecordRef;
      /** The version that the record has; null if there is no record. */
      readonly actual: number | null;
    }
  | {
      /** A search needs more steps than it may take. */
      readonly _tag: 'TooCostly';
    }
  | {
      /** The records are not indexed as a search needs them. No store returns it, but the library. */
      readonly _tag: 'OutdatedIndex';
      /** The search parameters, for a log. */
      readonly message: string;
      readonly cause: null;
    }
  | {
      /** Too many costly searches are running, so the store does not begin another one. */
      readonly _tag: 'Busy';
    }
  | {
      /** The feed or the scan has no entry at the position after which it was to begin. */
      readonly _tag: 'UnknownPosition';
    }
  | {
      /** Other work holds a lock for longer than the store waits for it. Nothing was written. */
      readonly _tag: 'Locked';
      /** The reason, for a log. */
      readonly message: string;
      /** The error of the database, if there is one. */
      readonly cause: unknown;
    }
  | {
      /** The store can be read, but not written, because its database is read-only or has no space left. Nothing was written. */
      readonly _tag: 'NotWritable';
      /** The reason, for a log. */
      readonly message: string;
      /** The error of the database, if there is one. */
      readonly cause: unknown;
    }
  | {
      /** The store is closed, or its host has closed the database. Nothing was written. */
      readonly _tag: 'Closed';
    }
  | {
      /** The store cannot do its work, and has written nothing. */
      readonly _tag: 'Unavailable';
      /** The reason, for a log. */
      readonly message: string;
      /** The error of the database, if there is one. */
      readonly cause: unknown;
    }
  | {
      /** The host uses the store in a way that cannot work, such as after the end of a transaction. Nothing was written. */
      readonly _tag: 'Misuse';
      /** The fault, and the remedy. It contains nothing of a chart. */
      readonly message: string;
    }
  | {
      /** It is not known whether a commit was written. */
      readonly _tag: 'OutcomeUnknown';
      /** The reason, for a log. */
      readonly message: string;
      /** The error of the database, if there is one. */
      readonly cause: unknown;
    };
