import { type Commit, findConflict, type StoreError, type VersionCheck } from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import { unavailableError } from '../postgres-errors.ts';
import { toVersionToWrite, type VersionToWrite } from './version-to-write.ts';

export type CommitResult = Either<StoreError, readonly number[]>;

/** A change with what is written, or a version check without. */
export type Expectation = VersionCheck & { readonly name: string; readonly version: VersionToWrite | null };

/** A commit with the versions that it writes. */
export type PreparedCommit = {
  /** The changes, and then the version checks. */
  readonly expectations: readonly Expectation[];
  readonly changeCount: number;
  readonly size: number;
};

/** A commit that waits to be written. */
export type PendingCommit = PreparedCommit & {
  /** When it began to wait, by `performance.now()`. */
  readonly since: number;
  readonly resolve: (result: CommitResult) => void;
};

/** The name of a record, as a text that no other record has. */
export const nameOf = (type: string, id: string): string => `${type.length} ${type}${id}`;

/** Prepares a commit, so that what becomes of its parts afterwards does not matter. */
export const prepareCommit = ({ changes, versionChecks }: Commit): PreparedCommit => {
  const expectationOf = (
    { type, id, expects }: VersionCheck,
    version: VersionToWrite | null,
  ): Expectation => ({
    type,
    id,
    expects,
    name: nameOf(type, id),
    version,
  });
  const written = changes.map(toVersionToWrite);
  return {
    expectations: [
      ...changes.map((change, at) => expectationOf(change, written[at] ?? null)),
      ...versionChecks.map((check) => expectationOf(check, null)),
    ],
    changeCount: changes.length,
    size: written.reduce((size, { state, resource }) => size + state.length + (resource?.length ?? 0), 0),
  };
};

const repeatedRecordError = unavailableError('A commit names a record twice among its changes.');

/** The reason for which no database could write a commit; null if there is none. */
export const checkCommit = ({ changes }: Commit): StoreError | null => {
  const names = new Set(changes.map(({ type, id }) => nameOf(type, id)));
  return names.size < changes.length ? repeatedRecordError : null;
};

/** The first expectation of a commit that the versions of its records do not meet; null if they meet all. */
export const conflictOf = (
  { expectations }: PreparedCommit,
  versions: ReadonlyMap<string, number>,
): StoreError | null => {
  for (const expectation of expectations) {
    const conflict = findConflict(expectation, versions.get(expectation.name) ?? null);
    if (conflict !== null) return conflict;
  }
  return null;
};
