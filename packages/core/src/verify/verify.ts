import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import type { Outcome } from '../errors.ts';
import { orThrow } from '../outcome.ts';
import { erasedRecordDefinition, isErasedVersion } from '../records/erased-record.ts';
import { isIndexCurrent } from '../records/index-version.ts';
import type { RecordDefinition, RecordDefinitions } from '../records/record-definition.ts';
import type { FeedPosition } from '../store/feed-position.ts';
import type { ClinicalStore, IndexedRecord } from '../store/port.ts';
import { createDigestChain } from './digest-chain.ts';
import { createDiscrepancy, type Discrepancy, type DiscrepancyReason } from './discrepancy.ts';
import { createErasureCheck } from './erasure-check.ts';
import { findDifferences } from './find-differences.ts';
import { createOrderCheck } from './order-check.ts';
import { createPageReader } from './page-reader.ts';
import { createRelationCheck } from './relation-check.ts';
import { createResourceCount, findMiscountedTypes, readTotals } from './totals.ts';

/** The options of a verification. */
export type VerifyOptions = {
  /** The `head` of an earlier verification. Keep it where nobody who can write to the store can write. */
  readonly head?: string | undefined;
};

/** The counts and the findings of a verification. */
export type Verification = {
  /** The number of records. */
  readonly records: number;
  /** The number of their versions. */
  readonly versions: number;
  /** The versions that are not as they were written. */
  readonly discrepancies: readonly Discrepancy[];
  /** The types for which a search reports another total than there are resources. */
  readonly miscounted: readonly string[];
  /** The end of the feed: a text to keep, and to pass to the next verification. */
  readonly head: FeedPosition;
  /**
   * Whether the given head is missing from the feed: the newest versions were cut off, or all versions were written
   * again.
   */
  readonly isHeadMissing: boolean;
  /**
   * Whether the index entries are of an earlier version of the library, until `records.reindex()` updates them. They are then
   * not compared.
   */
  readonly isIndexOutdated: boolean;
};

/**
 * Whether a read by its id returns a record as the scan does. Others may have written a newer version since, but a record never
 * disappears.
 */
const isFoundById = async (store: ClinicalStore, scanned: IndexedRecord): Promise<boolean> => {
  const read = await orThrow(store.read(scanned));
  if (read === null || read.version < scanned.version) return false;
  const { state, resource } = read;
  return read.version > scanned.version || (state === scanned.state && resource === scanned.resource);
};

/** Checks that a current record is found by its id, derives from its state, and is consistent with the records to which it relates. */
const createRecordCheck = (store: ClinicalStore, definitions: RecordDefinitions) => {
  const checkRelations = createRelationCheck(store);
  return async (stored: IndexedRecord): Promise<readonly Discrepancy[]> => {
    if (!Object.hasOwn(definitions, stored.type)) return [createDiscrepancy(stored, 'type')];
    const definition = isErasedVersion(stored)
      ? erasedRecordDefinition(stored.type)
      : (definitions[stored.type] as RecordDefinition<never>);
    const derived = findDifferences(definition, stored);
    const foundById: readonly DiscrepancyReason[] = (await isFoundById(store, stored)) ? [] : ['lookup'];
    const related = derived.includes('state') ? [] : await checkRelations(definition, stored);
    return [...derived, ...foundById, ...related].map((what) => createDiscrepancy(stored, what));
  };
};

/**
 * Walks through the feed and the records at the same time. The feed goes first, so that its records were committed
 * before the scan is asked for them. It ends once both have ended, even if others go on writing.
 */
const walkStore = async (
  store: ClinicalStore,
  definitions: RecordDefinitions,
  expectedHead: string | undefined,
) => {
  const discrepancies: Discrepancy[] = [];
  const [nextVersions, nextRecords] = [createPageReader(store.changesSince), createPageReader(store.scan)];
  const [chain, order, count] = [createDigestChain(expectedHead), createOrderCheck(), createResourceCount()];
  const erasures = createErasureCheck();
  const check = createRecordCheck(store, definitions);
  let [versions, records] = [0, 0];

  const walkVersions = async (): Promise<boolean> => {
    const { entries, misplaced, isLast } = await nextVersions();
    discrepancies.push(...misplaced, ...chain.check(entries), ...order.take(entries, []));
    erasures.take(entries);
    versions += entries.length;
    return isLast;
  };
  const walkRecords = async (): Promise<boolean> => {
    const { entries, misplaced, isLast } = await nextRecords();
    const checked = await Promise.all(entries.map(check));
    discrepancies.push(...misplaced, ...checked.flat(), ...order.take([], entries));
    count.add(entries);
    records += entries.length;
    return isLast;
  };

  for (let isFeedOver = false; !isFeedOver; ) {
    isFeedOver = await walkVersions();
    while (order.isAwaiting() || isFeedOver) if (await walkRecords()) break;
  }
  discrepancies.push(...order.missing());
  // The feed also has the records that were created since.
  while (!(await walkVersions()));
  discrepancies.push(...order.unknown(), ...erasures.unexplained());
  const isHeadMissing = !chain.hasFoundHead();
  return { records, versions, discrepancies, head: chain.head(), isHeadMissing, resources: count.counts() };
};

const verifyStore = async (
  store: ClinicalStore,
  definitions: RecordDefinitions,
  { head }: VerifyOptions,
): Promise<Verification> => {
  const types = Object.keys(definitions);
  const isIndexOutdated = !(await isIndexCurrent(store));
  const before = await readTotals(store, types);
  const { resources, ...found } = await walkStore(store, definitions, head);
  const discrepancies = isIndexOutdated
    ? found.discrepancies.filter(({ what }) => what !== 'index')
    : found.discrepancies;
  const after = await readTotals(store, types);
  return {
    ...found,
    discrepancies,
    isIndexOutdated,
    miscounted: await findMiscountedTypes(store, { before, resources, after }),
  };
};

export const createVerify =
  (store: ClinicalStore, definitions: RecordDefinitions) =>
  async (options: VerifyOptions = {}): Outcome<Verification> => {
    try {
      return E.right(await verifyStore(store, definitions, options));
    } catch (thrown) {
      if (thrown instanceof ClinicalRecordsError) return E.left(thrown.error);
      throw thrown;
    }
  };
