import type { StoreError } from '@clinical-records/core';

const codeOf = (cause: unknown): string =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'string' ? ` (${cause.code})` : '';

/** What SQLite could not do. Its own message stays in the cause, for it may quote what is in a chart. */
export const unavailable = (cause: unknown): StoreError => ({
  _tag: 'Unavailable',
  message: `The SQLite database is unavailable${codeOf(cause)}.`,
  cause,
});

export const closed: StoreError = { _tag: 'Unavailable', message: 'The store is closed.', cause: null };
