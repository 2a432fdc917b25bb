import type { Result } from '../errors.ts';
import type { Change } from '../store/port.ts';
import type { DirectoryEntry } from './model.ts';

type MemberType = 'Practitioner' | 'Organization';

/** An entry whose name shows in care teams: of their patients, and of their members. */
export type NamedEntry = {
  [Type in 'Patient' | MemberType]: { readonly type: Type; readonly entry: DirectoryEntry[Type] };
}['Patient' | MemberType];

/** How care teams take on the names of the directory. */
export type Following = {
  /** What is written in the commit in which the directory learns a name. */
  readonly alongside: (named: NamedEntry, at: number) => Result<readonly Change[]>;
  /** Renames a member in all teams that this commit left as they were. */
  readonly afterwards: (type: MemberType, id: string) => Result<unknown>;
};
