import type { Outcome } from '../errors.ts';
import type { Decision } from '../records/transact.ts';
import type { ClinicalStore, RecordChange } from '../store/port.ts';
import type { DirectoryEntry, MemberType } from './model.ts';

/** The changes of other records in the commit of an entry, and the version checks for them. */
export type SideChanges = Pick<Decision<unknown>, 'changes' | 'versionChecks'>;

/** Carries the names of the directory to the care teams, and the encounters of notes to the immunizations. */
export type DirectoryFollower = {
  /** The changes of the commit that writes a patient: a new team, or a new name in the team. */
  readonly onPatient: (
    store: ClinicalStore,
    entry: DirectoryEntry['Patient'],
    at: number,
  ) => Outcome<SideChanges>;
  /** The changes of the commit that writes a member who was there before. */
  readonly onMember: <Type extends MemberType>(
    store: ClinicalStore,
    member: { readonly type: Type; readonly entry: DirectoryEntry[Type] },
    at: number,
  ) => Outcome<SideChanges>;
  /** The changes of the commit that writes a note. If it gets its encounter, the immunizations in it get the encounter, too. */
  readonly onNote: (
    store: ClinicalStore,
    note: { readonly before: DirectoryEntry['Note'] | null; readonly after: DirectoryEntry['Note'] | null },
    at: number,
  ) => Outcome<readonly RecordChange[]>;
  /** Renames a member in the teams that the commit did not change. */
  readonly afterMember: (store: ClinicalStore, type: MemberType, id: string) => Outcome<unknown>;
};
