import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Outcome, storeFailure, toClinicalError } from '../errors.ts';
import { ClinicalRecordsError, toOutcome } from '../outcome.ts';
import { type Correction, correctionRecordDefinition } from '../records/correction.ts';
import { type Decision, type ExistingRecord, load, recordExists, transact } from '../records/transact.ts';
import type { ClinicalStore, FeedEntry, Position, StoredRecord } from '../store/port.ts';
import { recordKey } from '../store/record-key.ts';
import { createPageReader } from '../verify/page-reader.ts';

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
};

/**
 * Makes a correction completely. A write that began before can still be committed after its records were read, which no version check
 * finds. Afterwards none can, because each write checks a record that the correction has changed. So if the feed shows such a write, the
 * correction gets a second version, with the rest.
 */
export const correctCompletely = async (
  store: ClinicalStore,
  { decide, isLeft, cause }: CompleteCorrection,
): Outcome<Correction> => {
  const end = await store.feedEnd();
  if (E.isLeft(end)) return E.left(toClinicalError(end.left));
  const first = await transact(store, cause)(() => decide(null));
  if (E.isLeft(first)) return first;
  const left = await isAnyLeft(store, end.right?.position, isLeft);
  if (E.isRight(left) && !left.right) return first;
  const rest = E.isLeft(left)
    ? left
    : await transact(store, cause)(() => decideRest(store, first.right, decide));
  // The first version was committed. A repeated correction has the rest.
  return E.mapLeft((error: ClinicalError) =>
    storeFailure('outcome-unknown', new ClinicalRecordsError(error)),
  )(rest);
};
