import {
  type Commit,
  findConflict,
  type IndexEntry,
  type RecordChange,
  type RecordRef,
  repeatedRecordError,
  type StoreError,
  type Term,
  termOf,
  type VersionCheck,
} from '@clinical-records/core/store';
import type { Either } from 'fp-ts/lib/Either.js';
import { termId } from '../schema.ts';
import { encodePatient, encodeText } from '../text.ts';

/** Index entries as terms. */
export type IndexToWrite = {
  readonly terms: readonly string[];
  readonly dateTerms: readonly string[];
  readonly dateFrom: readonly number[];
  readonly dateUntil: readonly number[];
  /** The meanings of the terms. */
  readonly contents: ReadonlyMap<string, Term>;
};

/** A change in the form in which it is written: its texts encoded, its index entries as terms. */
type VersionToWrite = IndexToWrite & {
  readonly type: string;
  readonly id: string;
  readonly patientId: string;
  readonly at: number;
  readonly by: string | null;
  readonly state: string;
  readonly resource: string | null;
  /** The new states of the versions before, oldest first, if the change erases them. */
  readonly priorStates: readonly string[] | null;
  /** The change as it was given, of which digests are computed. */
  readonly content: Omit<RecordChange, 'index' | 'expects'>;
};

const encodeOptional = (text: string | null): string | null => (text === null ? null : encodeText(text));

/** Prepares the index entries of a record of a type. A repeated entry is written once. */
export const toIndexToWrite = (type: string, index: readonly IndexEntry[]): IndexToWrite => {
  const contents = new Map<string, Term>();
  const terms = new Set<string>();
  const dates = new Map<string, { readonly term: string; readonly from: number; readonly until: number }>();
  for (const entry of index) {
    const meaning = termOf(type, entry);
    const term = termId(meaning);
    contents.set(term, meaning);
    if (entry.kind === 'date')
      dates.set(`${term} ${entry.from} ${entry.until}`, { term, from: entry.from, until: entry.until });
    else terms.add(term);
  }
  const dateList = [...dates.values()];
  return {
    terms: [...terms],
    dateTerms: dateList.map(({ term }) => term),
    dateFrom: dateList.map(({ from }) => from),
    dateUntil: dateList.map(({ until }) => until),
    contents,
  };
};

/** Prepares a change, so that what becomes of its parts afterwards does not matter. */
const toVersionToWrite = ({ index, expects: _expects, ...content }: RecordChange): VersionToWrite => ({
  type: encodeText(content.type),
  id: encodeText(content.id),
  patientId: encodePatient(content.patientId),
  at: content.at,
  by: encodeOptional(content.by),
  state: encodeText(content.state),
  resource: encodeOptional(content.resource),
  priorStates: content.priorStates?.map(encodeText) ?? null,
  ...toIndexToWrite(content.type, content.resource === null ? [] : index),
  content,
});

/** A version, and the number of the version before; 0 for the first. */
export type NumberedVersion = VersionToWrite & { readonly before: number };

export const isErasing = (versions: readonly NumberedVersion[]): boolean =>
  versions.some(({ priorStates }) => priorStates !== null);

export type CommitResult = Either<StoreError, readonly number[]>;

/** A change with what is written, or a version check without. */
type Expectation = VersionCheck & { readonly name: string; readonly version: VersionToWrite | null };

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
export const recordName = (type: string, id: string): string => `${type.length} ${type}${id}`;

/** Prepares a commit, so that what becomes of its parts afterwards does not matter. */
export const prepareCommit = ({ changes, versionChecks }: Commit): PreparedCommit => {
  const expectationOf = (
    { type, id, expects }: VersionCheck,
    version: VersionToWrite | null,
  ): Expectation => ({
    type,
    id,
    expects,
    name: recordName(type, id),
    version,
  });
  const written = changes.map(toVersionToWrite);
  return {
    expectations: [
      ...changes.map((change, index) => expectationOf(change, written[index] ?? null)),
      ...versionChecks.map((check) => expectationOf(check, null)),
    ],
    changeCount: changes.length,
    size: written.reduce((size, { state, resource }) => size + state.length + (resource?.length ?? 0), 0),
  };
};

/** The reason for which no database could write a commit; null if there is none. */
export const checkChanges = ({ changes }: Commit): StoreError | null => {
  const names = new Set(changes.map(({ type, id }) => recordName(type, id)));
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

/** The records that are named, each once. */
export const refsOf = (expectations: readonly Expectation[]): readonly RecordRef[] => [
  ...new Map(expectations.map(({ name, type, id }) => [name, { type, id }])).values(),
];

/** A record, and the version that it must have; 0 if it must not exist. */
type ExactVersionCheck = { readonly type: string; readonly id: string; readonly version: number };

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
export const toInteger = (version: number): number =>
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
