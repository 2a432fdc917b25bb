/** One of those who are compared: does its work for a round, and answers how often it did it a second. */
export type Contestant = (round: number) => Promise<number>;

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

/**
 * The medians of several contestants, who take turns in every round, so that a slow minute of the machine is
 * everybody's. A round before the first warms them up and does not count.
 */
export const mediansInTurn = async (
  contestants: readonly Contestant[],
  rounds: number,
): Promise<readonly number[]> => {
  const measured: number[][] = contestants.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, contestant] of contestants.entries()) {
      const perSecond = await contestant(round);
      if (round > 0) measured[at]?.push(perSecond);
    }
  }
  return measured.map(median);
};
