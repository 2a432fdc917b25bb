import { type Freshness, fresher } from './freshness.ts';

/** The freshest that a store has seen, so that no later read shows less. */
export type LastSeen = {
  /** The least that a replica must show; null if it is not known before the primary is read. */
  readonly least: () => Freshness | null;
  /** Must be called after a write, whose position is not known. */
  readonly forget: () => void;
  /** Begins a read. The returned function must be called with what it has shown. */
  readonly begin: () => (shown: Freshness) => void;
};

export const createLastSeen = (): LastSeen => {
  let least: Freshness | null = null;
  let writes = 0;
  return {
    least: () => least,
    forget: () => {
      least = null;
      writes += 1;
    },
    begin: () => {
      const writesBefore = writes;
      return (shown) => {
        if (least !== null) least = fresher(least, shown);
        // Otherwise the read may have begun before the last write, and not show it.
        else if (writesBefore === writes) least = shown;
      };
    },
  };
};
