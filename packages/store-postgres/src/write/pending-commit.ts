import { type Commit, findConflict, type StoreError, type VersionCheck } from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import { toVersionToWrite, type VersionToWrite } from './version-to-write.ts';

export type CommitResult = Either<StoreError, readonly number[]>;

/** A change with what is written, or a version check without. */
export type Expectation = VersionCheck & { readonly name: string; readonly version: VersionToWrite | null };

/** A commit that waits to be written. */
export type PendingCommit = {
  /** The changes, and then the version checks. */
  readonly expectations: readonly Expectation[];
  readonly changeCount: number;
  readonly size: number;
  readonly resolve: (result: CommitResult) => void;
};

/** The name of a record, as a text that no other record has. */
export const nameOf = (type: string, id: string): string => `${type.length} ${type}${id}`;

/** Prepares a commit, so that what becomes of its parts afterwards does not matter. */
export const toPendingCommit = (
  { changes, versionChecks }: Commit,
  resolve: PendingCommit['resolve'],
): PendingCommit => {
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
    resolve,
  };
};

/** The first expectation of a commit that the versions of its records do not meet; null if they meet all. */
export const conflictOf = (
  { expectations }: PendingCommit,
  versions: ReadonlyMap<string, number>,
): StoreError | null => {
  for (const expectation of expectations) {
    const conflict = findConflict(expectation, versions.get(expectation.name) ?? null);
    if (conflict !== null) return conflict;
  }
  return null;
};
