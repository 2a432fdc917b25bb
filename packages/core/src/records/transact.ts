import * as E from 'fp-ts/lib/Either.js';
import {
  type ClinicalError,
  createIssueFactory,
  erasedError,
  type Issue,
  type Outcome,
  preconditionFailed,
  storeFailure,
  toClinicalError,
} from '../errors.ts';
import type { AuthorReference } from '../fhir/reference.ts';
import { renderJson } from '../fhir/schema.ts';
import { date, listOf, number, type OptionForms } from '../forms.ts';
import type { ClinicalStore, RecordChange, RecordRef, StoredRecord, VersionCheck } from '../store/port.ts';
import type { StoreError } from '../store/store-error.ts';
import { erasedHash, exactVersion, isExpectedVersion, noVersion } from '../store/versions.ts';
import type { RecordDefinition } from './definition.ts';
import type { ResourceVersion } from './page.ts';

/** The state of a record since it was erased: what its versions before still say, too. */
export type ErasedRecord = {
  readonly id: string;
  readonly patientId: string | null;
  readonly isErased: true;
};

export const renderErasedRecord = (id: string, patientId: string | null): string =>
  JSON.stringify({ id, patientId, isErased: true } satisfies ErasedRecord);

const isErasedState = (state: unknown): state is ErasedRecord =>
  typeof state === 'object' && state !== null && 'isErased' in state;

/** Whether a version is one of an erased record: the last one, or one whose content was erased. */
export const isErasedVersion = (version: Pick<StoredRecord, 'state' | 'resource'>): boolean =>
  erasedHash(version) !== null ||
  (version.resource === null && String(version.state).endsWith('"isErased":true}'));

/** How an erased record of a type derives. */
export const erasedRecordDefinition = (type: string): RecordDefinition<ErasedRecord> => ({
  type,
  id: ({ id }) => id,
  patientId: ({ patientId }) => patientId,
  derive: () => null,
  refersTo: () => [],
  withPatient: null,
});

/** A record that was read for a decision. */
export type ExistingRecord<State> = {
  readonly id: string;
  readonly stored: StoredRecord;
  readonly state: State;
};

/** A record that does not exist yet, or was erased. The id of an erased record cannot be used again. */
export type MissingRecord = {
  readonly id: string;
  readonly stored: null;
  readonly state: null;
  readonly isErased?: true;
};

export type LoadedRecord<State> = ExistingRecord<State> | MissingRecord;

export const recordExists = <State>(loaded: LoadedRecord<State>): loaded is ExistingRecord<State> =>
  loaded.stored !== null;

export const missingRecord = (id: string): MissingRecord => ({ id, stored: null, state: null });

/** Parses a stored record. An old state lacks elements that were added since, and may have null for an absent element. */
export const toLoadedRecord = <State>(id: string, stored: StoredRecord | null): LoadedRecord<State> => {
  if (stored === null) return missingRecord(id);
  const state: unknown = JSON.parse(stored.state);
  return isErasedState(state)
    ? { ...missingRecord(id), isErased: true }
    : { id, stored, state: state as State };
};

/** Reads a record for a decision. */
export const load = async <State>(
  store: ClinicalStore,
  { type }: RecordDefinition<State> | { readonly type: string },
  id: string,
): Outcome<LoadedRecord<State>> => {
  const read = await store.read({ type, id });
  return E.isLeft(read) ? E.left(toClinicalError(read.left)) : E.right(toLoadedRecord<State>(id, read.right));
};

/** The author and the time of a change. */
export type Authorship = {
  /** In milliseconds since 1970 in UTC. */
  readonly at: number;
  /** Null if nobody was named. */
  readonly by: AuthorReference | null;
};

/** The parts of a record that derive from its state. */
export const deriveRecord = <State>(
  definition: RecordDefinition<State>,
  state: State,
  derived = definition.derive(state),
) => ({
  id: definition.id(state),
  patientId: definition.patientId(state),
  resource: derived && renderJson(derived.resource),
  index: derived?.index ?? [],
});

/**
 * Returns the act with a date that is not before the last change of the record: the clock may have been set back since, or be behind
 * that of another process.
 */
export const ensureNotBackdated = <Act extends Authorship>(
  { stored }: LoadedRecord<unknown>,
  act: Act,
): Act => ({ ...act, at: stored === null ? act.at : Math.max(act.at, stored.at) });

/** Whether two states are stored as the same text. */
export const isSameState = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** Set in a record that an import has written, for the next import. */
export type ImportMark = {
  /** When its source had last changed it, where that was said: a FHIR `dateTime`. */
  readonly lastUpdated?: string;
  /** Set once the record was changed here, and not only moved, merged or renamed. */
  readonly isChangedHere?: true;
};

/** The record after a change that is not an import, a move or a merge. */
export const markChangedHere = <Record extends { readonly imported?: ImportMark | undefined }>(
  record: Record,
): Record =>
  record.imported === undefined
    ? record
    : { ...record, imported: { ...record.imported, isChangedHere: true } };

const expectUnchanged = ({ stored }: LoadedRecord<unknown>) =>
  stored === null ? noVersion : exactVersion(stored.version);

/**
 * The change of a record to a new state, if it is unchanged since it was loaded; `derived` is what derives from the state. It is not
 * dated before the last one.
 */
export const createChange = <State>(
  definition: RecordDefinition<State>,
  loaded: LoadedRecord<State>,
  state: State,
  authorship: Authorship,
  derived = definition.derive(state),
): RecordChange => {
  const { at, by } = ensureNotBackdated(loaded, authorship);
  return {
    ...deriveRecord(definition, state, derived),
    type: definition.type,
    at,
    by,
    state: JSON.stringify(state),
    expects: expectUnchanged(loaded),
  };
};

/** The version check that a record is unchanged since it was loaded, though it is not written. */
export const createVersionCheck = (
  { type }: Pick<RecordDefinition<never>, 'type'>,
  loaded: LoadedRecord<unknown>,
): VersionCheck => ({
  type,
  id: loaded.id,
  expects: expectUnchanged(loaded),
});

/**
 * A decision: the changes to write, the version checks for them, and the result. Without changes, nothing is committed, and the
 * version checks are only compared.
 */
export type Decision<A> = {
  readonly changes: readonly RecordChange[];
  readonly versionChecks?: readonly VersionCheck[];
  readonly result: A;
};

/** Why a resource changes. A `retraction` discards a command, marks it as entered in error, or reopens an order. */
export type ChangeCause = 'request' | 'retraction' | 'import' | 'move' | 'merge';

/** The verdict of the host's rules on a decision: the warnings, and the changes and version checks that its commit needs. */
export type Verdict = Pick<Decision<never>, 'changes'> &
  Required<Pick<Decision<never>, 'versionChecks'>> & { readonly warnings: readonly Issue[] };

/** Judges a decision by the rules of the host. Null if a record has changed since, so that it must be decided again. */
export type Judge = (
  store: JudgedStore,
  changes: readonly RecordChange[],
  cause: ChangeCause,
) => Outcome<Verdict | null>;

/** A store whose decisions are judged. */
export type JudgedStore = ClinicalStore & {
  /** Absent if the host has no rules. */
  readonly judge?: Judge;
  /** The records of a type that a buffer holds, which its searches do not show. */
  readonly heldOf?: (type: string) => readonly StoredRecord[];
};

/** The decision with what the rules of the host add to it. Its result is an object if it changes a resource. */
const addVerdict = <A>(
  { changes, versionChecks = [], result }: Decision<A>,
  { warnings, ...verdict }: Verdict,
): Decision<A> => ({
  changes: [...changes, ...verdict.changes],
  versionChecks: [...versionChecks, ...verdict.versionChecks],
  result: warnings.length === 0 ? result : { ...result, warnings },
});

/**
 * How often a change is decided in all, if other commits come first. Each time, one of the competitors succeeds. So this is
 * how many may write to one record at the same moment.
 */
const maxAttempts = 200;

/** Whether the records of some version checks are as a decision has read them. */
export const areMet = async (store: ClinicalStore, checks: readonly VersionCheck[]): Outcome<boolean> => {
  const read = E.sequenceArray(await Promise.all(checks.map((check) => store.read(check))));
  if (E.isLeft(read)) return E.left(toClinicalError(read.left));
  return E.right(
    checks.every(({ expects }, index) => isExpectedVersion(expects, read.right[index]?.version ?? null)),
  );
};

/** Whether a commit expects a version of a record that the store does not have. Records never disappear, so the store is damaged. */
const isLost = (
  checks: readonly VersionCheck[],
  { ref, actual }: Extract<StoreError, { readonly _tag: 'Conflict' }>,
): boolean =>
  actual === null &&
  checks.some(({ type, id, expects }) => expects._tag === 'Version' && type === ref.type && id === ref.id);

const isCreation = ({ type, id, expects }: RecordChange, ref: RecordRef): boolean =>
  expects._tag === 'Absent' && type === ref.type && id === ref.id;

/**
 * Reads, decides, and commits if no record has changed in the meantime. If one has, it reads and decides again. A commit with
 * an unknown outcome is not repeated, because it may have succeeded. The rules of the host judge each decision by its cause. Without
 * a cause, they judge none: that of a buffer consists of decisions that were judged, and an erasure changes no resource.
 */
export const transact =
  (store: JudgedStore, cause: ChangeCause | null = 'request') =>
  async <A>(decide: () => Outcome<Decision<A>>): Outcome<A> => {
    const judge = cause === null ? undefined : store.judge;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      const decided = await decide();
      if (E.isLeft(decided)) return decided;
      const verdict = judge && (await judge(store, decided.right.changes, cause as ChangeCause));
      if (verdict !== undefined && E.isLeft(verdict)) return verdict;
      if (verdict?.right === null) continue;
      const judged = verdict === undefined ? decided.right : addVerdict(decided.right, verdict.right);
      const { changes, versionChecks = [], result } = judged;
      if (changes.length === 0) {
        const met = await areMet(store, versionChecks);
        if (E.isLeft(met)) return met;
        if (met.right) return E.right(result);
        continue;
      }
      const committed = await store.commit({ changes, versionChecks });
      if (E.isRight(committed)) return E.right(result);
      if (committed.left._tag !== 'Conflict') return E.left(toClinicalError(committed.left));
      if (isLost([...changes, ...versionChecks], committed.left)) {
        return E.left(storeFailure('damaged-store', null));
      }
      const { ref } = committed.left;
      if (!changes.some((change) => isCreation(change, ref))) continue;
      // An erased record was decided as a missing one, and would be so again.
      const existing = await load(store, ref, ref.id);
      if (E.isLeft(existing)) return existing;
      if (!recordExists(existing.right) && existing.right.isErased) return E.left(erasedError);
    }
    return E.left(storeFailure('too-contended', null));
  };

export const preconditionIssues = {
  'if-match': 'The resource has another version than If-Match expects.',
  'if-unmodified-since': 'The resource was modified after the date in If-Unmodified-Since.',
} as const;

const preconditionIssue = createIssueFactory(preconditionIssues);

/** The conditions of a write on the version that it replaces. */
export type Precondition = {
  /** The expected versions: the current version must be one of them. */
  readonly ifMatch?: readonly number[] | undefined;
  /** The resource must not have been modified after this, in whole seconds. An invalid Date always fails. */
  readonly ifUnmodifiedSince?: Date | undefined;
};

export const preconditionForms: OptionForms<Precondition> = {
  ifMatch: listOf(number),
  ifUnmodifiedSince: date,
};

const inSeconds = (milliseconds: number) => Math.floor(milliseconds / 1000);

/** Checks a resource against a precondition. Source: docs/http-interface.md#headers; RFC 9110, 13.1. */
export const createPreconditionCheck = ({ ifMatch, ifUnmodifiedSince }: Precondition) => {
  const versions = ifMatch === undefined ? undefined : [...ifMatch];
  // For an invalid Date this is NaN, and no number is less than NaN.
  const latest =
    ifUnmodifiedSince === undefined ? Number.POSITIVE_INFINITY : inSeconds(ifUnmodifiedSince.getTime());
  return ({
    version,
    lastModified,
  }: Pick<ResourceVersion, 'version' | 'lastModified'>): E.Either<ClinicalError, void> => {
    const issues: readonly Issue[] = [
      ...(versions?.includes(version) === false ? [preconditionIssue('if-match')] : []),
      ...(inSeconds(lastModified) <= latest ? [] : [preconditionIssue('if-unmodified-since')]),
    ];
    return issues.length === 0 ? E.right(undefined) : E.left(preconditionFailed(issues));
  };
};
