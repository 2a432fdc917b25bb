import * as E from 'fp-ts/lib/Either.js';
import { asFailure, type Result } from '../errors.ts';
import type { ResourceType } from '../fhir/resource-type.ts';
import { entryText } from '../store/entry-text.ts';
import type { ClinicalStore, IndexedRecord, RecordRef, StoreError } from '../store/port.ts';
import type { IndexEntry } from '../store/query.ts';
import { pause } from './pause.ts';
import { derivedFrom, type RecordKind } from './record-kind.ts';

/** A record of which something is not what derives from its state. */
export type Discrepancy = RecordRef & {
  readonly version: number;
  /** What is amiss: `state` where nothing can be derived from it, `type` where it is none of this library's. */
  readonly what: 'type' | 'state' | 'id' | 'patientId' | 'resource' | 'index';
};

/** How many records were looked at, and all that was found. */
export type Verification = {
  readonly records: number;
  readonly discrepancies: readonly Discrepancy[];
  /** The types for which a search tells another total than there are resources. */
  readonly miscounted: readonly string[];
};

/** The kinds of all records, by their types: of every resource, and of what else is kept. */
type RecordKinds = Readonly<Record<ResourceType, RecordKind<never>> & Record<string, RecordKind<never>>>;

const pageSize = 500;

const isSameIndex = (one: readonly IndexEntry[], other: readonly IndexEntry[]): boolean =>
  new Set(one.map(entryText)).symmetricDifference(new Set(other.map(entryText))).size === 0;

/** Derives a record again, and answers what differs from what is stored. */
const amiss = (kinds: RecordKinds, stored: IndexedRecord): readonly Discrepancy['what'][] => {
  const kind = Object.hasOwn(kinds, stored.type) ? kinds[stored.type] : undefined;
  if (kind === undefined) return ['type'];
  const derived = E.tryCatch(() => derivedFrom(kind, JSON.parse(stored.state) as never), String);
  if (E.isLeft(derived)) return ['state'];
  const again = derived.right;
  const differing = (['id', 'patientId', 'resource'] as const).filter((part) => again[part] !== stored[part]);
  return isSameIndex(again.index, stored.index) ? differing : [...differing, 'index'];
};

/** The total that a search of each type tells. */
const totalsOf = async (
  store: ClinicalStore,
  types: readonly string[],
): Promise<E.Either<StoreError, ReadonlyMap<string, number>>> => {
  const totals = new Map<string, number>();
  for (const type of types) {
    const page = await store.search({ type, conditions: [], start: { offset: 0 }, count: 0 })();
    if (E.isLeft(page)) return page;
    totals.set(type, page.right.total);
  }
  return E.right(totals);
};

/** What one look at all records finds; `off` is by how many the total of a type differs from its resources. */
type Look = Pick<Verification, 'records' | 'discrepancies'> & { readonly off: ReadonlyMap<string, number> };

const look = async (store: ClinicalStore, kinds: RecordKinds): Promise<E.Either<StoreError, Look>> => {
  const types = Object.keys(kinds);
  const discrepancies: Discrepancy[] = [];
  const resources = new Map<string, number>();
  const before = await totalsOf(store, types);
  if (E.isLeft(before)) return before;
  let records = 0;
  let position = 0;
  let page: readonly IndexedRecord[];
  do {
    const scanned = await store.scan({ position, limit: pageSize })();
    if (E.isLeft(scanned)) return scanned;
    page = scanned.right;
    for (const stored of page) {
      const { type, id, version } = stored;
      if (stored.resource !== null) resources.set(type, (resources.get(type) ?? 0) + 1);
      discrepancies.push(...amiss(kinds, stored).map((what) => ({ type, id, version, what })));
    }
    records += page.length;
    position = page.at(-1)?.position ?? position;
    await pause();
  } while (page.length > 0);
  const after = await totalsOf(store, types);
  if (E.isLeft(after)) return after;
  const off = new Map<string, number>();
  for (const [type, total] of after.right) {
    const difference = total - (resources.get(type) ?? 0);
    // A total that others changed in the meantime says nothing.
    if (difference !== 0 && total === before.right.get(type)) off.set(type, difference);
  }
  return E.right({ records, discrepancies, off });
};

export const verifying =
  (store: ClinicalStore, kinds: RecordKinds): Result<Verification> =>
  async () => {
    const first = await look(store, kinds);
    if (E.isLeft(first)) return E.left(asFailure(first.left));
    const { records, discrepancies, off } = first.right;
    if (off.size === 0) return E.right({ records, discrepancies, miscounted: [] });
    // Others may have added one and taken one away behind the look: what is damaged is off by as many again.
    const second = await look(store, kinds);
    if (E.isLeft(second)) return E.left(asFailure(second.left));
    const miscounted = [...off.keys()].filter((type) => second.right.off.get(type) === off.get(type));
    return E.right({ records, discrepancies, miscounted });
  };
