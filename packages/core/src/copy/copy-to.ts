import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, createIssueFactory, invalidRequest, type Outcome } from '../errors.ts';
import { ClinicalRecordsError, orThrow, toOutcome } from '../outcome.ts';
import type { RecordDefinitions } from '../records/definition.ts';
import { mapVersions } from '../records/past-versions.ts';
import { type StoredRecords, unknownIndex, withSearchIndex } from '../records/search-index.ts';
import { isErasedVersion } from '../records/transact.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { ClinicalStore, FeedEntry, FeedRange, RecordChange, StoreOutcome } from '../store/port.ts';
import type { StoreError } from '../store/store-error.ts';
import { pause } from '../store/turns.ts';
import { exactVersion, type FeedPosition, feedPositionOf, feedStart, noVersion } from '../store/versions.ts';
import { createDigestChain } from '../verify/checks.ts';

/** The result of `records.copyTo`. */
export type Copy = {
  readonly versions: number;
  /** The end of the feed, which is the same in both stores. */
  readonly head: FeedPosition;
};

/** The options of `records.copyTo`. */
export type CopyOptions = {
  /** Is called after each batch with the number of versions that the target has. An error that it throws ends the copy. */
  readonly onProgress?: ((versions: number) => void) | undefined;
  /** Goes on with what is written to the source during the copy, until this signal is aborted. Then it copies the rest, and ends. */
  readonly follow?: AbortSignal | undefined;
};

export const copyIssues = {
  'damaged-records': 'The records were changed without the library, so they cannot be copied. Verify them.',
  'undefined-types':
    'These records do not define the types of some records, so they cannot be copied. Define them.',
  'other-records':
    'The target has other records. It must be empty, or have what an earlier copy of the same records wrote.',
} as const;

const copyIssue = createIssueFactory(copyIssues);

const damagedRecords = invalidRequest(copyIssue('damaged-records'));

/** The index entries that derive from the state of a version; null if no definition reads the state. */
const indexOf = (
  definitions: RecordDefinitions,
  { type, state, resource }: FeedEntry,
): readonly IndexEntry[] | null => {
  if (resource === null) return [];
  const definition = definitions.get(type);
  try {
    return definition === undefined ? null : (definition.derive(JSON.parse(state) as never)?.index ?? []);
  } catch {
    return null;
  }
};

const isCurrent = async (source: ClinicalStore, { type, id, version }: FeedEntry): Promise<boolean> =>
  (await orThrow(source.read({ type, id })))?.version === version;

/** The states of the versions before an erasure, so that a copy that has the former ones erases them, too. */
const priorStatesOf = async (
  source: ClinicalStore,
  { version, ...entry }: FeedEntry,
): Promise<Pick<RecordChange, 'priorStates'>> => ({
  priorStates: await mapVersions(source, { ...entry, version: version - 1 }, ({ state }) => state),
});

/**
 * The change that writes a version of a source again. Each version has the index entries of its own state, and the next one
 * replaces them. An old state may be one that no definition reads any more: it has none.
 */
const toChange = async (
  source: ClinicalStore,
  definitions: RecordDefinitions,
  entry: FeedEntry,
): Promise<RecordChange> => {
  const { version, position: _position, digest: _digest, ...content } = entry;
  const index = indexOf(definitions, entry);
  if (index === null && (await isCurrent(source, entry))) {
    const isDefined = definitions.has(entry.type);
    throw new ClinicalRecordsError(
      isDefined ? damagedRecords : invalidRequest(copyIssue('undefined-types', entry.type)),
    );
  }
  const isErasure = version > 1 && isErasedVersion(entry) && (await isCurrent(source, entry));
  return {
    ...content,
    index: index ?? [],
    expects: version === 1 ? noVersion : exactVersion(version - 1),
    ...(isErasure && (await priorStatesOf(source, entry))),
  };
};

/** Splits changes into the fewest parts, in their order, that name no record twice: a commit must not. */
const splitAtRepeats = (changes: readonly RecordChange[]): readonly (readonly RecordChange[])[] => {
  const parts: RecordChange[][] = [];
  let names = new Set<string>();
  for (const change of changes) {
    const name = JSON.stringify([change.type, change.id]);
    if (parts.length === 0 || names.has(name)) {
      parts.push([]);
      names = new Set();
    }
    parts.at(-1)?.push(change);
    names.add(name);
  }
  return parts;
};

/** How much is read and written at a time. Every store takes a thousand changes in a commit. */
const batchLimits = { limit: 1000, bytes: 1024 * 1024 };

/** How many milliseconds after the end of the source was read it is read again. */
const followInterval = 100;

const otherRecords = invalidRequest(copyIssue('other-records', 'target'));

/** The result of a function of a store. Rejects with `otherRecords` if the store returns an error with that tag. */
const orThrowOther = async <A>(outcome: StoreOutcome<A>, tag: StoreError['_tag']): Promise<A> => {
  const ended = await outcome;
  if (E.isLeft(ended) && ended.left._tag === tag) throw new ClinicalRecordsError(otherRecords);
  return orThrow(outcome);
};

/** The place in the feed after an entry. A store has it only if it has the same entries up to there. */
const placeAfter = (last: FeedEntry | undefined): Pick<FeedRange, 'position' | 'digest'> =>
  last === undefined ? {} : { position: last.position, digest: last.digest };

/** Entries of the source, and the changes that write them. */
type CopyBatch = {
  readonly changes: readonly RecordChange[];
  /** The last entry up to here, and the number of all. */
  readonly last: FeedEntry | undefined;
  readonly versions: number;
  /** Whether nothing that is written to the source from then on is copied. */
  readonly isLast: boolean;
};

const copyStore = async (
  source: ClinicalStore,
  { definitions, index }: StoredRecords,
  rawTarget: ClinicalStore,
  { onProgress = () => {}, follow }: CopyOptions,
): Promise<Copy> => {
  // Index entries are derived again, as this process writes them.
  const target = withSearchIndex(rawTarget, unknownIndex(index));
  const chain = createDigestChain(undefined);
  let last: FeedEntry | undefined;
  let versions = 0;

  const readNext = async (store: ClinicalStore, error: ClinicalError): Promise<readonly FeedEntry[]> => {
    await pause();
    const range = { ...placeAfter(last), ...batchLimits };
    const entries = await orThrowOther(store.changesSince(range), 'UnknownPosition');
    if (chain.check(entries).length > 0) throw new ClinicalRecordsError(error);
    last = entries.at(-1) ?? last;
    versions += entries.length;
    return entries;
  };
  const readBatch = async (): Promise<CopyBatch> => {
    const isLast = follow?.aborted ?? true;
    const entries = await readNext(source, damagedRecords);
    await pause();
    const changes: RecordChange[] = [];
    for (const entry of entries) changes.push(await toChange(source, definitions, entry));
    return { changes, last, versions, isLast };
  };
  const write = async (batch: CopyBatch): Promise<void> => {
    for (const changes of splitAtRepeats(batch.changes)) {
      await orThrowOther(target.commit({ changes, versionChecks: [] }), 'Conflict');
    }
    await orThrowOther(target.changesSince({ ...placeAfter(batch.last), limit: 1 }), 'UnknownPosition');
    onProgress(batch.versions);
  };

  // The target has what an earlier copy wrote.
  while ((await readNext(target, otherRecords)).length > 0);
  for (let batch = await readBatch(); ; ) {
    if (batch.changes.length > 0) {
      // The source and the target work at the same time.
      const [written, next] = await Promise.allSettled([write(batch), readBatch()]);
      if (written.status === 'rejected') throw written.reason;
      if (next.status === 'rejected') throw next.reason;
      batch = next.value;
    } else if (batch.isLast) break;
    else {
      await pause(followInterval);
      batch = await readBatch();
    }
  }
  return { versions, head: last === undefined ? feedStart : feedPositionOf(last) };
};

/** Creates the function that copies all records of a source into another store. */
export const createCopyTo =
  (source: ClinicalStore, records: StoredRecords) =>
  (target: ClinicalStore, options: CopyOptions = {}): Outcome<Copy> =>
    toOutcome(() => copyStore(source, records, target, options));
