import type { Source } from './candidates.ts';
import type { NumberedCondition, Search } from './search.ts';
import type { SearchStatements } from './search-statements.ts';

/** How many entries are counted of each condition, and then listed of the one that is best. */
const caps = [256, 4096];

/** How many entries are counted of each condition that is too large for a list. */
const streamCap = 65_536;

/** How long it takes to compare a date with one of a list, where to look a record up is 1. */
const listed = 1 / 16;

/** How long it takes to see whether a condition holds of a record: a list of dates is gone through. */
const stepsOf = (condition: NumberedCondition): number => {
  if (condition.on === 'token') return 1 + condition.anyOf.length * listed;
  if (condition.on !== 'date') return 1;
  return condition.anyOf.reduce(
    (steps, { anyOf }) => steps + (anyOf.length > 1 ? anyOf.length * listed : 0),
    1,
  );
};

/** A record of which nothing is asked is only counted. */
const onlyCounted = 1 / 16;

/** How many steps each candidate takes, by what it is compared with. */
export const stepsEach = ({ conditions }: Search, source: Source): number => {
  if (conditions.length === 0) return onlyCounted;
  return conditions.reduce(
    (steps, condition, at) =>
      source.from !== 'type' && source.at === at ? steps : steps + stepsOf(condition),
    1,
  );
};

/** An index has in the order of creation what one patient or one term leads to. */
const isInOrder = ({ on, anyOf }: NumberedCondition) =>
  (on === 'patient' || on === 'term') && anyOf.length === 1;

type Counted = { readonly at: number; readonly count: number };

/** What is found by one of the conditions with the fewest steps in all, of those that are not beyond the cap. */
function* cheapest(
  search: Search,
  { countUpTo }: SearchStatements,
  { cap, among }: { readonly cap: number; readonly among: readonly number[] },
): Generator<undefined, Counted | null> {
  let best: (Counted & { readonly steps: number }) | null = null;
  for (const at of among) {
    const count = countUpTo(cap + 1, search, at);
    yield;
    if (count === null || count > cap) continue;
    const steps = count * stepsEach(search, { from: 'index', at });
    if (best === null || steps < best.steps) best = { at, count, steps };
  }
  return best;
}

/** How many ids are looked up at once. */
const idsAtOnce = 100;

/** The records of the ids that a condition names, in the order of their creation. */
function* recordsOf(
  search: Search,
  { listOf }: SearchStatements,
  at: number,
): Generator<undefined, readonly number[]> {
  const ids = (search.conditions[at]?.anyOf ?? []) as readonly string[];
  const records: number[] = [];
  for (let from = 0; from < ids.length; from += idsAtOnce) {
    const some = { on: 'id', anyOf: ids.slice(from, from + idsAtOnce) } as const;
    records.push(...listOf({ ...search, conditions: search.conditions.with(at, some) }, at));
    yield;
  }
  return records.sort((one, other) => one - other);
}

/**
 * Chooses where a search takes its candidates from, so that the least has to be looked at. Ids are few, and so are the records
 * of a patient, nearly always. Of other conditions, what an index finds is counted, no further than a cap: so to choose costs
 * little, whatever is asked for. Gives way in between.
 */
export function* sourceFor(search: Search, statements: SearchStatements): Generator<undefined, Source> {
  const { conditions } = search;
  const places = [...conditions.keys()];
  const isOn = (on: NumberedCondition['on']) => (at: number) => conditions[at]?.on === on;
  const list = (at: number): Source => ({ from: 'list', at, records: statements.listOf(search, at) });

  const id = places.find(isOn('id'));
  if (id !== undefined) return { from: 'list', at: id, records: yield* recordsOf(search, statements, id) };
  const inOrder = places.filter((at) => isInOrder(conditions[at] as NumberedCondition));
  const [first] = inOrder;
  const named = inOrder.find(isOn('patient')) ?? (places.length === 1 ? first : undefined);
  if (named !== undefined) return { from: 'index', at: named };
  for (const cap of caps) {
    const best = yield* cheapest(search, statements, { cap, among: places });
    if (best !== null) return list(best.at);
  }
  if (first === undefined) return { from: 'type' };
  const best =
    inOrder.length === 1 ? null : yield* cheapest(search, statements, { cap: streamCap, among: inOrder });
  return { from: 'index', at: best?.at ?? first };
}
