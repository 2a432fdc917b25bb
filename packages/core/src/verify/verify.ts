import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import type { ClinicalTask } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { RecordDefinition } from '../records/record-definition.ts';
import type { FeedPosition } from '../store/feed-position.ts';
import type { ClinicalStore, IndexedRecord } from '../store/port.ts';
import { createDigestChain } from './digest-chain.ts';
import { createDiscrepancy, type Discrepancy } from './discrepancy.ts';
import { findDifferences } from './find-differences.ts';
import { createOrderCheck } from './order-check.ts';
import { createPageReader } from './page-reader.ts';
import { createRelationCheck } from './relation-check.ts';
import { createResourceCount, findMiscountedTypes, readTotals } from './totals.ts';

/** What a verification is given. */
export type VerifyOptions = {
  /** The `head` that an earlier verification reported, kept where nobody who can write to the store can write. */
  readonly head?: string | undefined;
};

/** What was looked at, and all that was found. */
export type Verification = {
  /** How many records there are, and how many versions of them. */
  readonly records: number;
  readonly versions: number;
  readonly discrepancies: readonly Discrepancy[];
  /** The types for which a search reports another total than there are resources. */
  readonly miscounted: readonly string[];
  /** Where the feed ends: a text to keep, and to give to the next verification. */
  readonly head: FeedPosition;
  /** That the head which was given is not in the feed: the newest versions were cut off, or all were written again. */
  readonly isHeadMissing: boolean;
};

/** The kinds of all records, by their types: of every resource, and of what else is kept. */
type RecordDefinitions = Readonly<
  Record<ResourceType, RecordDefinition<never>> & Record<string, RecordDefinition<never>>
>;

/** Looks at a record as it stands: whether it derives from its state, and fits to those that it relates to. */
const createRecordCheck = (store: ClinicalStore, definitions: RecordDefinitions) => {
  const checkRelations = createRelationCheck(store);
  return async (stored: IndexedRecord): Promise<readonly Discrepancy[]> => {
    const definition = Object.hasOwn(definitions, stored.type) ? definitions[stored.type] : undefined;
    if (definition === undefined) return [createDiscrepancy(stored, 'type')];
    const derived = findDifferences(definition, stored);
    const related = derived.includes('state') ? [] : await checkRelations(definition, stored);
    return [...derived, ...related].map((what) => createDiscrepancy(stored, what));
  };
};

/**
 * Walks through the feed and, beside it, through the records. The feed goes first: what it has shown was committed before the
 * scan is asked for it. Ends, though others go on writing, where both have come to an end.
 */
const walkStore = async (
  store: ClinicalStore,
  definitions: RecordDefinitions,
  expectedHead: string | undefined,
) => {
  const discrepancies: Discrepancy[] = [];
  const [nextVersions, nextRecords] = [createPageReader(store.changesSince), createPageReader(store.scan)];
  const [chain, order, count] = [createDigestChain(expectedHead), createOrderCheck(), createResourceCount()];
  const check = createRecordCheck(store, definitions);
  let [versions, records] = [0, 0];

  const walkVersions = async (): Promise<boolean> => {
    const { entries, misplaced, isLast } = await nextVersions();
    discrepancies.push(...misplaced, ...(await chain.check(entries)), ...order.take(entries, []));
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
  // Of records that were created since, the feed tells by now.
  while (!(await walkVersions()));
  discrepancies.push(...order.unknown());
  const isHeadMissing = !chain.hasFoundHead();
  return { records, versions, discrepancies, head: chain.head(), isHeadMissing, resources: count.counts() };
};

const verifyStore = async (
  store: ClinicalStore,
  definitions: RecordDefinitions,
  { head }: VerifyOptions,
): Promise<Verification> => {
  const types = Object.keys(definitions);
  const before = await readTotals(store, types);
  const { resources, ...found } = await walkStore(store, definitions, head);
  const after = await readTotals(store, types);
  return { ...found, miscounted: await findMiscountedTypes(store, { before, resources, after }) };
};

export const createVerify =
  (store: ClinicalStore, definitions: RecordDefinitions) =>
  (options: VerifyOptions = {}): ClinicalTask<Verification> =>
  async () => {
    try {
      return E.right(await verifyStore(store, definitions, options));
    } catch (thrown) {
      if (thrown instanceof ClinicalRecordsError) return E.left(thrown.error);
      throw thrown;
    }
  };
