import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Outcome, storeFailure, toClinicalError } from '../errors.ts';
import { ClinicalRecordsError, toOutcome } from '../outcome.ts';
import { type Correction, correctionRecordDefinition } from '../records/correction.ts';
import type { RequestKey } from '../records/idempotency.ts';
import { type Decision, type ExistingRecord, load, recordExists, transact } from '../records/transact.ts';
import type { ClinicalStore, FeedEntry, IndexedRecord, Position, StoredRecord } from '../store/port.ts';
import { recordKey } from '../store/record-key.ts';
import { createPageReader } from '../verify/page-reader.ts';
import { decideOnce, type MadeCorrection, withKey } from './decide-once.ts';

/**
 * Reads all records that are wanted. It walks through the whole store, because no search finds a record without a resource,
 * such as a note or a staged command.
 */
export const readRecords = (
  store: ClinicalStore,
  isWanted: (record: IndexedRecord) => boolean,
): Outcome<readonly IndexedRecord[]> =>
  toOutcome(async () => {
    const nextPage = createPageReader(store.scan);
    const wanted: IndexedRecord[] = [];
    for (let isOver = false; !isOver; ) {
      const { entries, isLast } = await nextPage();
      wanted.push(...entries.filter(isWanted));
      isOver = isLast;
    }
    return wanted;
  });

/** Whether the last version of a record that the feed has after a position is still to be corrected. */
const isAnyLeft = (
  store: ClinicalStore,
  position: Position | undefined,
  isLeft: (record: StoredRecord) => boolean,
): Outcome<boolean> =>
  toOutcome(async () => {
    const nextPage = createPageReader<FeedEntry>(store.changesSince, position);
    const left = new Set<string>();
    for (let isOver = false; !isOver; ) {
      const { entries, isLast } = await nextPage();
      for (const entry of entries) {
        if (isLeft(entry)) left.add(recordKey(entry));
        else left.delete(recordKey(entry));
      }
      isOver = isLast;
    }
    return left.size > 0;
  });

/** Decides a correction, or the second version of one. */
type CorrectionDecision = (first: ExistingRecord<Correction> | null) => Outcome<Decision<Correction>>;

const decideRest = async (
  store: ClinicalStore,
  { id }: Correction,
  decide: CorrectionDecision,
): Outcome<Decision<Correction>> => {
  const first = await load(store, correctionRecordDefinition, id);
  if (E.isLeft(first)) return first;
  return recordExists(first.right) ? decide(first.right) : E.left(storeFailure('damaged-store', null));
};

/** How a correction is decided, and what is still to be corrected. */
type CompleteCorrection = {
  readonly decide: CorrectionDecision;
  readonly isLeft: (record: StoredRecord) => boolean;
  /** Null if the rules of the host do not judge it. */
  readonly cause: 'merge' | null;
  /** The key of the request; null if it has none. */
  readonly key: RequestKey | null;
};

/**
 * Makes a correction completely. A write that began before can still be committed after its records were read, which no version check
 * finds. Afterwards none can, because each write checks a record that the correction has changed. So if the feed shows such a write, the
 * correction gets a second version, with the rest. So it does if a repeated request finds a rest.
 */
export const correctCompletely = async (
  store: ClinicalStore,
  { decide, isLeft, cause, key }: CompleteCorrection,
): Outcome<MadeCorrection> => {
  const end = await store.feedEnd();
  if (E.isLeft(end)) return E.left(toClinicalError(end.left));
  const decideFirst = decideOnce(store, key, () => decide(null));
  const first = await transact(withKey(store, key), cause)(decideFirst);
  if (E.isLeft(first)) return first;
  const left = first.right.isUnwritten
    ? E.map((rest: readonly StoredRecord[]) => rest.length > 0)(await readRecords(store, isLeft))
    : await isAnyLeft(store, end.right?.position, isLeft);
  if (E.isRight(left) && !left.right) return first;
  const rest = E.isLeft(left)
    ? left
    : await transact(store, cause)(() => decideRest(store, first.right, decide));
  // The first version was committed. A repeated correction has the rest.
  return E.mapLeft((error: ClinicalError) =>
    storeFailure('outcome-unknown', new ClinicalRecordsError(error)),
  )(rest);
};
