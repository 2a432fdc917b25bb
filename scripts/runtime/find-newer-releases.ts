export type Release = { readonly version: string; readonly days: number };

const numbersOf = (version: string): readonly number[] => version.split('.').map(Number);

/** Compares versions by number, because as texts 24.9.0 would be after 24.21.0. */
const byNumber = (one: string, other: string): number => {
  const others = numbersOf(other);
  const differing = numbersOf(one).findIndex((number, at) => number !== others[at]);
  return differing === -1 ? 0 : (numbersOf(one)[differing] ?? 0) - (others[differing] ?? 0);
};

const dayLength = 86_400_000;

/**
 * The releases of the same line (the first number) that are newer than the pinned one, newest first, with their age in
 * days.
 */
export const findNewerReleases = (
  ours: string,
  releases: Readonly<Record<string, string>>,
  now: Date,
): readonly Release[] =>
  Object.entries(releases)
    .filter(([version]) => /^\d+\.\d+\.\d+$/.test(version))
    .filter(([version]) => numbersOf(version)[0] === numbersOf(ours)[0] && byNumber(version, ours) > 0)
    .sort(([one], [other]) => byNumber(other, one))
    .map(([version, time]) => ({
      version,
      days: Math.floor((now.getTime() - new Date(time).getTime()) / dayLength),
    }));
