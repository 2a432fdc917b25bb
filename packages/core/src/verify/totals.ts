import { orThrow } from '../outcome.ts';
import type { ClinicalStore, IndexedRecord } from '../store/port.ts';
import { createPageReader } from './page-reader.ts';

type Counts = ReadonlyMap<string, number>;

/** Counts the records that have a resource, by type. */
export const createResourceCount = () => {
  const counts = new Map<string, number>();
  return {
    add: (records: readonly IndexedRecord[]): void => {
      for (const { type, resource } of records)
        if (resource !== null) counts.set(type, (counts.get(type) ?? 0) + 1);
    },
    counts: (): Counts => counts,
  };
};

const countAll = async (store: ClinicalStore): Promise<Counts> => {
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
export const readTotals = async (store: ClinicalStore, types: readonly string[]): Promise<Counts> => {
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
const findDifferences = ({ before, resources, after }: CountComparison): Counts => {
  const differences = new Map<string, number>();
  for (const [type, total] of after) {
    const difference = total - (resources.get(type) ?? 0);
    if (difference !== 0 && total === before.get(type)) differences.set(type, difference);
  }
  return differences;
};

/** The types for which a search reports another total than there are resources, after one walk through all of them. */
export const findMiscountedTypes = async (
  store: ClinicalStore,
  look: CountComparison,
): Promise<readonly string[]> => {
  const first = findDifferences(look);
  if (first.size === 0) return [];
  // Others may have added one record and removed another in the meantime. In damaged data the difference stays the
  // same.
  const types = [...first.keys()];
  const before = await readTotals(store, types);
  const resources = await countAll(store);
  const second = findDifferences({ before, resources, after: await readTotals(store, types) });
  return types.filter((type) => second.get(type) === first.get(type));
};
