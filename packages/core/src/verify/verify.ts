import * as E from 'fp-ts/lib/Either.js';
import type { ClinicalError, Result } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import type { RecordKind } from '../records/record-kind.ts';
import type { ClinicalStore, IndexedRecord } from '../store/port.ts';
import { createChain } from './chain.ts';
import { differing } from './derivation.ts';
import { type Discrepancy, discrepancy } from './discrepancy.ts';
import { createOrder } from './order.ts';
import { pagesOf } from './pages.ts';
import { createRelations } from './relations.ts';
import { createCount, miscountedTypes, totalsOf } from './totals.ts';

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
  readonly head: string;
  /** That the head which was given is not in the feed: the newest versions were cut off, or all were written again. */
  readonly isHeadMissing: boolean;
};

/** The kinds of all records, by their types: of every resource, and of what else is kept. */
type RecordKinds = Readonly<Record<ResourceType, RecordKind<never>> & Record<string, RecordKind<never>>>;

/** Looks at a record as it stands: whether it derives from its state, and fits to those that it relates to. */
const createRecordCheck = (store: ClinicalStore, kinds: RecordKinds) => {
  const unrelated = createRelations(store);
  return async (stored: IndexedRecord): Promise<readonly Discrepancy[]> => {
    const kind = Object.hasOwn(kinds, stored.type) ? kinds[stored.type] : undefined;
    if (kind === undefined) return [discrepancy(stored, 'type')];
    const derived = differing(kind, stored);
    const related = derived.includes('state') ? [] : await unrelated(kind, stored);
    return [...derived, ...related].map((what) => discrepancy(stored, what));
  };
};

/**
 * Walks through the feed and, beside it, through the records. The feed goes first: what it has shown was committed before the
 * scan is asked for it. Ends, though others go on writing, where both have come to an end.
 */
const walk = async (store: ClinicalStore, kinds: RecordKinds, keptHead: string | undefined) => {
  const discrepancies: Discrepancy[] = [];
  const [nextVersions, nextRecords] = [pagesOf(store.changesSince), pagesOf(store.scan)];
  const [chain, order, count] = [createChain(keptHead), createOrder(), createCount()];
  const check = createRecordCheck(store, kinds);
  let [versions, records] = [0, 0];

  const walkVersions = async (): Promise<boolean> => {
    const { entries, disorder, isLast } = await nextVersions();
    discrepancies.push(...disorder, ...(await chain.check(entries)), ...order.take(entries, []));
    versions += entries.length;
    return isLast;
  };
  const walkRecords = async (): Promise<boolean> => {
    const { entries, disorder, isLast } = await nextRecords();
    const checked = await Promise.all(entries.map(check));
    discrepancies.push(...disorder, ...checked.flat(), ...order.take([], entries));
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
  const isHeadMissing = !chain.hasMet();
  return { records, versions, discrepancies, head: chain.head(), isHeadMissing, resources: count.counts() };
};

const verify = async (
  store: ClinicalStore,
  kinds: RecordKinds,
  { head }: VerifyOptions,
): Promise<Verification> => {
  const types = Object.keys(kinds);
  const before = await totalsOf(store, types);
  const { resources, ...found } = await walk(store, kinds, head);
  const after = await totalsOf(store, types);
  return { ...found, miscounted: await miscountedTypes(store, { before, resources, after }) };
};

export const verifying =
  (store: ClinicalStore, kinds: RecordKinds) =>
  (options: VerifyOptions = {}): Result<Verification> =>
  async () => {
    try {
      return E.right(await verify(store, kinds, options));
    } catch (thrown) {
      if (thrown instanceof Error && '_tag' in thrown) return E.left(thrown as unknown as ClinicalError);
      throw thrown;
    }
  };
