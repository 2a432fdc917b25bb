import type { ClinicalTask } from '../errors.ts';
import type { RecordChange } from '../store/port.ts';
import type { DirectoryEntry, MemberType } from './model.ts';

/** How care teams take on the names of the directory. */
export type DirectoryFollower = {
  /** What is written in the commit in which the directory learns the name of a patient: a new team, or a name anew. */
  readonly onPatient: (entry: DirectoryEntry['Patient'], at: number) => ClinicalTask<readonly RecordChange[]>;
  /** What is written in the commit in which it learns the name of a member. */
  readonly onMember: (
    type: MemberType,
    entry: DirectoryEntry[MemberType],
    at: number,
  ) => ClinicalTask<readonly RecordChange[]>;
  /** Renames a member in all teams that this commit left as they were. */
  readonly afterMember: (type: MemberType, id: string) => ClinicalTask<unknown>;
};
