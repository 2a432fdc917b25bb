/** One of those who are compared: does its work for a round, and answers how often it did it a second. */
export type Candidate = (round: number) => Promise<number>;

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
export const interleavedMedians = async (
  candidates: readonly Candidate[],
  rounds: number,
): Promise<readonly number[]> => {
  const measured: number[][] = candidates.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, candidate] of candidates.entries()) {
      const perSecond = await candidate(round);
      if (round > 0) measured[at]?.push(perSecond);
    }
  }
  return measured.map(median);
};
