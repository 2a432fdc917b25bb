/** How new the data are that a server shows. */
export type Freshness = {
  /** The end of the feed. */
  readonly position: number;
  /** The version of the index entries. Reindexing adds nothing to the feed. */
  readonly indexVersion: number;
};

export const isAsFresh = (one: Freshness, least: Freshness): boolean =>
  one.position >= least.position && one.indexVersion >= least.indexVersion;

/** The least that is as fresh as both. */
export const fresher = (one: Freshness, other: Freshness): Freshness => ({
  position: Math.max(one.position, other.position),
  indexVersion: Math.max(one.indexVersion, other.indexVersion),
});
