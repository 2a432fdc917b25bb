/** The operations in a second, and the processor time and the bytes read from the disk of each. */
export type Rate = {
  readonly perSecond: number;
  readonly microsecondsEach: number;
  /** Left out where the file is in memory. */
  readonly readBytes?: number;
};

/** One of the compared implementations. It works for a round. Round 0 warms it up, and its rate does not count. */
export type Candidate = (round: number) => Promise<Rate>;

const median = (numbers: readonly number[]): number => {
  const sorted = numbers.toSorted((one, other) => one - other);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2;
};

const medianRate = (rates: readonly Rate[]): Rate => {
  const readBytes = rates.flatMap((rate) => rate.readBytes ?? []);
  return {
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    microsecondsEach: median(rates.map(({ microsecondsEach }) => microsecondsEach)),
    ...(readBytes.length > 0 && { readBytes: median(readBytes) }),
  };
};

/**
 * The medians of several candidates that take turns in every round, so that a slow minute of the machine affects all of
 * them. A round before the first warms them up and does not count.
 */
export const interleavedMedians = async (
  candidates: readonly Candidate[],
  rounds: number,
): Promise<readonly Rate[]> => {
  const measured: Rate[][] = candidates.map(() => []);
  for (let round = 0; round <= rounds; round++) {
    for (const [at, candidate] of candidates.entries()) {
      const rate = await candidate(round);
      if (round > 0) measured[at]?.push(rate);
    }
  }
  return measured.map(medianRate);
};
