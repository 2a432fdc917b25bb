import type { RecordRef } from '@clinical-records/core/store';
import type { Expectation, PreparedCommit } from './pending-commit.ts';
import type { NumberedVersion } from './write-parts.ts';

/** The records that are named, each once. */
export const refsOf = (expectations: readonly Expectation[]): readonly RecordRef[] => [
  ...new Map(expectations.map((one) => [one.name, { type: one.type, id: one.id }])).values(),
];

/** A record, and the version that it must have; 0 if it must not exist. */
export type ExactVersionCheck = { readonly type: string; readonly id: string; readonly version: number };

/** A group of commits with the version that each of their records has before. */
export type BoundGroup = {
  readonly versions: readonly NumberedVersion[];
  readonly checks: readonly ExactVersionCheck[];
  readonly created: readonly RecordRef[];
  readonly updated: readonly RecordRef[];
};

/** A version that no record reaches. The next one is still an `integer`. */
const unreachedVersion = 2 ** 31 - 2;

/** An expected version as an `integer`. One that no record can have becomes one that no record has. */
const toInteger = (version: number): number =>
  Number.isInteger(version) && version > 0 ? Math.min(version, unreachedVersion) : unreachedVersion;

/** Binds a group to the versions that its records have, by their names. */
export const bindGroup = (
  group: readonly PreparedCommit[],
  current: ReadonlyMap<string, number>,
): BoundGroup => {
  const versions: NumberedVersion[] = [];
  const checks: ExactVersionCheck[] = [];
  const created: RecordRef[] = [];
  const updated: RecordRef[] = [];
  for (const { type, id, expects, name, version } of group.flatMap(({ expectations }) => expectations)) {
    const before =
      expects._tag === 'Version'
        ? toInteger(expects.version)
        : expects._tag === 'Absent'
          ? 0
          : (current.get(name) ?? 0);
    if (version !== null) {
      versions.push({ ...version, before });
      (before > 0 ? updated : created).push({ type, id });
    }
    // A record that should be new nearly always is, and otherwise its key refuses it.
    const isChecked = version === null ? expects._tag !== 'Any' : before > 0;
    if (isChecked) checks.push({ type, id, version: before });
  }
  return { versions, checks, created, updated };
};
