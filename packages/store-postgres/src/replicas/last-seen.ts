/** The newest end of the feed that a store has seen, so that no later read shows less. */
export type LastSeen = {
  /** The position that a replica must show at least; null if it is not known before the primary is read. */
  readonly position: () => number | null;
  /** Must be called after a write, whose position is not known. */
  readonly forget: () => void;
  /** Begins a read. The returned function must be called with the position that it has shown. */
  readonly begin: () => (shown: number) => void;
};

export const createLastSeen = (): LastSeen => {
  let position: number | null = null;
  let writes = 0;
  return {
    position: () => position,
    forget: () => {
      position = null;
      writes += 1;
    },
    begin: () => {
      const writesBefore = writes;
      return (shown) => {
        if (position !== null) position = Math.max(position, shown);
        // Otherwise the read may have begun before the last write, and not show it.
        else if (writesBefore === writes) position = shown;
      };
    },
  };
};
