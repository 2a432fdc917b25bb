import type { Fact } from './facts.ts';

/** A difference between two versions. A fact in only one of them has no value in the other. */
export type Change = {
  readonly label: string;
  readonly before: string | null;
  readonly after: string | null;
};

/** The differences from one version to another: first what changed or is gone, then what is new. */
export const diffFacts = (before: readonly Fact[], after: readonly Fact[]): readonly Change[] => {
  const later = new Map(after.map((fact) => [fact.key, fact]));
  const earlier = new Map(before.map((fact) => [fact.key, fact]));
  const changed = before.flatMap(({ key, label, value }) => {
    const now = later.get(key)?.value ?? null;
    return now === value ? [] : [{ label, before: value, after: now }];
  });
  const added = after.flatMap(({ key, label, value }) =>
    earlier.has(key) ? [] : [{ label, before: null, after: value }],
  );
  return [...changed, ...added];
};
