import type { MemberType } from '../care-team/model.ts';
import type { Result } from '../errors.ts';
import type { Change } from '../store/port.ts';
import type { DirectoryEntry } from './model.ts';

/** How care teams take on the names of the directory. */
export type Following = {
  /** What is written in the commit in which the directory learns the name of a patient: a new team, or a name anew. */
  readonly patient: (entry: DirectoryEntry['Patient'], at: number) => Result<readonly Change[]>;
  /** What is written in the commit in which it learns the name of a member. */
  readonly member: (
    type: MemberType,
    entry: DirectoryEntry[MemberType],
    at: number,
  ) => Result<readonly Change[]>;
  /** Renames a member in all teams that this commit left as they were. */
  readonly memberAfterwards: (type: MemberType, id: string) => Result<unknown>;
};
