import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';
import { ClinicalRecordsError, orThrow, toOutcome } from '../outcome.ts';
import type { RecordDefinitions } from '../records/definition.ts';
import {
  findNotIndexed,
  indexedCommit,
  ofTypesWithRecords,
  type StoredRecords,
} from '../records/search-index.ts';
import { deriveRecord } from '../records/transact.ts';
import { isSameIndex } from '../store/index-entry.ts';
import type { ClinicalStore, IndexedRecord, RecordRef, ReindexedRecord } from '../store/port.ts';
import { exactVersion } from '../store/versions.ts';
import { createPageReader } from '../verify/page-reader.ts';

/** The options of `records.reindex`. */
export type ReindexOptions = {
  /** Is called after each batch. An error that it throws ends the reindexing, and the next one continues. */
  readonly onProgress?: ((progress: ReindexResult) => void) | undefined;
};

/** How far records are reindexed. Both numbers are 0 if the index was up to date. */
export type ReindexResult = {
  /** The number of records that were looked at. */
  readonly records: number;
  /** The number of those whose index entries were replaced. */
  readonly reindexed: number;
};

/** The index entries that derive from the state of a record, if they differ from those that it has. */
const reindexRecord = (
  definitions: RecordDefinitions,
  { type, id, version, resource, state, index }: IndexedRecord,
): readonly ReindexedRecord[] => {
  const definition = definitions.get(type);
  if (definition === undefined || definition.isRetired || resource === null) return [];
  // `verify` reports a state that cannot be derived.
  const derived = E.tryCatch(() => deriveRecord(definition, JSON.parse(state) as never), String);
  return E.isLeft(derived) || isSameIndex(derived.right.index, index)
    ? []
    : [{ type, id, expects: exactVersion(version), index: derived.right.index }];
};

const isSameRecord = (a: RecordRef, b: RecordRef): boolean => a.type === b.type && a.id === b.id;

/** Writes index entries, and returns how many. A record with a newer version has new index entries, so it is left out. */
const writeEntries = async (store: ClinicalStore, records: readonly ReindexedRecord[]): Promise<number> => {
  for (let rest = records; rest.length > 0; ) {
    const written = await store.commit({ changes: [], versionChecks: [], reindexing: { records: rest } });
    if (E.isRight(written)) return rest.length;
    if (written.left._tag !== 'Conflict') throw new ClinicalRecordsError(written.left);
    const { ref } = written.left;
    rest = rest.filter((reindexed) => !isSameRecord(reindexed, ref));
  }
  return 0;
};

const reindexStore = async (
  store: ClinicalStore,
  { definitions, index }: StoredRecords,
  { onProgress = () => {} }: ReindexOptions,
): Promise<ReindexResult> => {
  let progress: ReindexResult = { records: 0, reindexed: 0 };
  const pending = await orThrow(findNotIndexed(store, index));
  if (pending.length === 0) return progress;
  const outdated = await orThrow(ofTypesWithRecords(store, pending));
  const nextPage = createPageReader(store.scan);
  for (let isOver = outdated.length === 0; !isOver; ) {
    const { entries, isLast } = await nextPage();
    const records = entries.flatMap((record) => reindexRecord(definitions, record));
    progress = {
      records: progress.records + entries.length,
      reindexed: progress.reindexed + (await writeEntries(store, records)),
    };
    onProgress(progress);
    isOver = isLast;
  }
  await orThrow(store.commit(indexedCommit(index)));
  return progress;
};

/** Creates the function that gives all records the index entries of this version. */
export const createReindex =
  (store: ClinicalStore, records: StoredRecords) =>
  (options: ReindexOptions = {}): Outcome<ReindexResult> =>
    toOutcome(() => reindexStore(store, records, options));
