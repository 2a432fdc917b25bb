import type { ImportMark } from '../chart/command.ts';
import { parseInterval, utc } from '../fhir/date-time.ts';

export const updateModes = ['newer', 'all', 'none'] as const;

/**
 * Which records that exist a load may change: those that the source has changed `newer` than what was imported, by its
 * `meta.lastUpdated`; `all`, since the load is newer as a whole; or `none`.
 */
export type UpdateMode = (typeof updateModes)[number];

/** A resource that a load repeats, and the record that exists. */
export type RepeatedLoad = {
  /** Whether the source says what it said in the last import; of a record that was not imported, what the record says. */
  readonly isSame: boolean;
  /** Whether it is entered in error, in the source and here. */
  readonly isInError: { readonly sent: boolean; readonly known: boolean };
  readonly sent: ImportMark;
  /** Undefined for a record that was not imported. */
  readonly known: ImportMark | undefined;
  readonly updates: UpdateMode;
};

/** The result for a record that exists: it is unchanged, or updated, or not updated for a reason, which is an issue. */
export type RepeatedLoadResult =
  | 'unchanged'
  | 'updated'
  | 'entered-in-error-at-source'
  | 'entered-in-error-here'
  | 'changed-here'
  | 'undated-change'
  | 'not-updated';

const timeOf = ({ lastUpdated = '' }: ImportMark): number | undefined =>
  parseInterval(lastUpdated, utc)?.from;

/** Decides about a resource that was loaded before. Nothing that is the same is written, and nothing that was changed here. */
export const decideRepeatedLoad = ({
  isSame,
  isInError,
  sent,
  known,
  updates,
}: RepeatedLoad): RepeatedLoadResult => {
  if (isSame || (isInError.sent && isInError.known)) return 'unchanged';
  const isChangedHere = known === undefined || known.isChangedHere === true;
  // A mistake was one whenever the source said so.
  if (isInError.sent) return isChangedHere || updates === 'none' ? 'entered-in-error-at-source' : 'updated';
  const [sentAt, knownAt] = [timeOf(sent), timeOf(known ?? {})];
  const isDated = sentAt !== undefined && knownAt !== undefined;
  if (updates === 'newer' && isDated && sentAt <= knownAt) return 'unchanged';
  if (updates === 'none') return 'not-updated';
  if (isInError.known) return 'entered-in-error-here';
  if (isChangedHere) return 'changed-here';
  return updates === 'newer' && !isDated ? 'undated-change' : 'updated';
};
