import type { Lead, NumberedCondition, Search } from './search.ts';
import type { SearchStatements } from './statements.ts';

const firstCap = 256;
const growth = 16;

/** How long it takes to compare a date with one time of a list, where to look a record up is 1. */
const listedTime = 1 / 16;

/** How long it takes to see whether a condition holds of a record: a list of times is gone through. */
const stepsOf = (condition: NumberedCondition): number =>
  condition.on === 'date'
    ? condition.anyOf.reduce((steps, { anyOf }) => steps + Math.max(1, anyOf.length * listedTime), 0)
    : 1;

/**
 * Begins a search where the least has to be looked at.
 *
 * Ids and patients are few. Among other conditions counts decide: each record that one finds is held against all others.
 * Each count goes no further than a few times the smallest of them, or than the search that it would spare, so that
 * choosing never costs more than the search itself.
 */
export const leadOf = (search: Search, countUpTo: SearchStatements['countUpTo']): Lead => {
  const { conditions } = search;
  if (conditions.length === 0 || conditions.some(({ on }) => on === 'id' || on === 'patient'))
    return 'records';
  if (conditions.length === 1) return 0;
  const steps = conditions.map(stepsOf);
  const allSteps = steps.reduce((all, one) => all + one);
  // The longest come last, when it is known what they would spare.
  const leads = [...steps.entries()].toSorted(([, one], [, other]) => one - other);
  for (let cap = firstCap; ; cap *= growth) {
    let best: { readonly lead: number; readonly steps: number } | null = null;
    for (const [lead, own] of leads) {
      const stepsEach = 1 + allSteps - own;
      const limit: number = best === null ? cap : Math.ceil(best.steps / stepsEach);
      const found = countUpTo(limit, search, lead);
      if (found < limit) best = { lead, steps: found * stepsEach };
    }
    if (best !== null) return best.lead;
  }
};
