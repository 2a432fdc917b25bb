import type { Outcome } from '../errors.ts';
import { orThrow, toOutcome } from '../outcome.ts';
import type { RecordDefinitions } from '../records/definition.ts';
import { indexedName, inspectIndex, type StoredRecords } from '../records/search-index.ts';
import { erasedRecordDefinition, isErasedVersion } from '../records/transact.ts';
import type { ClinicalStore, IndexedRecord } from '../store/port.ts';
import type { FeedPosition } from '../store/versions.ts';
import {
  createDigestChain,
  createErasureCheck,
  createOrderCheck,
  createRelationCheck,
  findDifferences,
} from './checks.ts';
import {
  createDiscrepancy,
  createPageReader,
  type Discrepancy,
  type DiscrepancyReason,
} from './page-reader.ts';

/** The options of `records.verify`. */
export type VerifyOptions = {
  /** The `head` of an earlier verification. Keep it where nobody who can write to the store can write. */
  readonly head?: string | undefined;
};

/** The counts and the findings of a verification. */
export type Verification = {
  readonly records: number;
  readonly versions: number;
  /** The versions that are not as they were written. */
  readonly discrepancies: readonly Discrepancy[];
  /** The types for which a search reports another total than there are resources. */
  readonly miscounted: readonly string[];
  /** How many records there are of each type that these records do not define. Nothing is derived from their states. */
  readonly undefinedTypes: Readonly<Record<string, number>>;
  /** The end of the feed: a text to keep, and to pass to the next verification. */
  readonly head: FeedPosition;
  /**
   * Whether the given head is missing from the feed: the newest versions were cut off, or all versions were written
   * again.
   */
  readonly isHeadMissing: boolean;
  /**
   * The search parameters, such as `Goal.code`, by which records are not indexed as this version of the library does it, until
   * `records.reindex()` has run. Their index entries are not compared.
   */
  readonly outdatedParameters: readonly string[];
};

type Counts = ReadonlyMap<string, number>;

/** Counts the records that have a resource, by type. */
const createResourceCount = () => {
  const counts = new Map<string, number>();
  return {
    add: (records: readonly IndexedRecord[]): void => {
      for (const { type, resource } of records)
        if (resource !== null) counts.set(type, (counts.get(type) ?? 0) + 1);
    },
    counts: (): Counts => counts,
  };
};

const countRecords = async (store: ClinicalStore): Promise<Counts> => {
  const { add, counts } = createResourceCount();
  const next = createPageReader(store.scan);
  for (let isOver = false; !isOver; ) {
    const { entries, isLast } = await next();
    add(entries);
    isOver = isLast;
  }
  return counts();
};

/** The total that a search of each type reports. */
const readTotals = async (store: ClinicalStore, types: readonly string[]): Promise<Counts> => {
  const totals = new Map<string, number>();
  for (const type of types) {
    const query = { type, conditions: [], start: { offset: 0 }, count: 0, withTotal: true };
    const { total } = await orThrow(store.search(query));
    totals.set(type, total ?? 0);
  }
  return totals;
};

/** The counted resources, and the totals that searches reported before and after. */
type CountComparison = { readonly before: Counts; readonly resources: Counts; readonly after: Counts };

/** The difference between each total and the counted resources, if nobody changed the total in the meantime. */
const findMiscounts = ({ before, resources, after }: CountComparison): Counts => {
  const differences = new Map<string, number>();
  for (const [type, total] of after) {
    const difference = total - (resources.get(type) ?? 0);
    if (difference !== 0 && total === before.get(type)) differences.set(type, difference);
  }
  return differences;
};

/** The types for which a search reports another total than there are resources, after one walk through all of them. */
const findMiscountedTypes = async (
  store: ClinicalStore,
  look: CountComparison,
): Promise<readonly string[]> => {
  const first = findMiscounts(look);
  if (first.size === 0) return [];
  // Others may have added one record and removed another in the meantime. In damaged data the difference stays the
  // same.
  const types = [...first.keys()];
  const before = await readTotals(store, types);
  const resources = await countRecords(store);
  const second = findMiscounts({ before, resources, after: await readTotals(store, types) });
  return types.filter((type) => second.get(type) === first.get(type));
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
const createRecordCheck = (
  store: ClinicalStore,
  definitions: RecordDefinitions,
  foreign: ReadonlySet<string>,
) => {
  const checkRelations = createRelationCheck(store);
  return async (stored: IndexedRecord): Promise<readonly Discrepancy[]> => {
    const foundById: readonly DiscrepancyReason[] = (await isFoundById(store, stored)) ? [] : ['lookup'];
    const definition = isErasedVersion(stored)
      ? erasedRecordDefinition(stored.type)
      : definitions.get(stored.type);
    if (definition === undefined) return foundById.map((what) => createDiscrepancy(stored, what));
    const derived = findDifferences(
      definition,
      stored,
      ({ parameter }) => !foreign.has(indexedName(stored.type, parameter)),
    );
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
  { head, foreign }: VerifyOptions & { readonly foreign: ReadonlySet<string> },
) => {
  const discrepancies: Discrepancy[] = [];
  const [nextVersions, nextRecords] = [createPageReader(store.changesSince), createPageReader(store.scan)];
  const [chain, order, count] = [createDigestChain(head), createOrderCheck(), createResourceCount()];
  const erasures = createErasureCheck();
  const undefinedTypes = new Map<string, number>();
  const check = createRecordCheck(store, definitions, foreign);
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
    for (const { type } of entries)
      if (!definitions.has(type)) undefinedTypes.set(type, (undefinedTypes.get(type) ?? 0) + 1);
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
  const resources = count.counts();
  return {
    records,
    versions,
    discrepancies,
    undefinedTypes: Object.fromEntries(undefinedTypes),
    head: chain.head(),
    isHeadMissing,
    resources,
  };
};

const verifyStore = async (
  store: ClinicalStore,
  { definitions, index }: StoredRecords,
  { head }: VerifyOptions,
): Promise<Verification> => {
  const types = [...definitions.keys()];
  const { outdated, foreign } = await orThrow(inspectIndex(store, index));
  const before = await readTotals(store, types);
  const { resources, ...walk } = await walkStore(store, definitions, { head, foreign });
  const after = await readTotals(store, types);
  return {
    ...walk,
    outdatedParameters: outdated,
    miscounted: await findMiscountedTypes(store, { before, resources, after }),
  };
};

export const createVerify =
  (store: ClinicalStore, records: StoredRecords) =>
  (options: VerifyOptions = {}): Outcome<Verification> =>
    toOutcome(() => verifyStore(store, records, options));
