import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ClinicalError, Result } from '../errors.ts';
import { changeTo, isSameState, type Loaded } from '../records/record-kind.ts';
import type { Decision } from '../records/transact.ts';
import type { Change } from '../store/port.ts';
import { directoryKinds } from './kinds.ts';
import type { DirectoryEntry, DirectoryType } from './model.ts';

/** What an entry becomes, and what its change brings with it. */
export type Plan<Entry> = { readonly entry: Entry; readonly alongside: Result<readonly Change[]> };

const nothing = TE.right<ClinicalError, readonly Change[]>([]);

/** That an entry stays as it is. */
export const unchanged = <Entry>(entry: Entry): Plan<Entry> => ({ entry, alongside: nothing });

/** The change of an entry that another brings with it, if there is one and it is a change. */
export const changeOf = <Type extends DirectoryType>(
  type: Type,
  before: Loaded<DirectoryEntry[Type]> | null,
  { entry, at }: { readonly entry: DirectoryEntry[Type] | null; readonly at: number },
): Result<readonly Change[]> =>
  before === null || entry === null || isSameState(before.state, entry)
    ? nothing
    : TE.right([changeTo(directoryKinds[type], before, entry, { at, by: null })]);

/** A change of an entry, if it is one, and what goes along with it. */
export const decisionOf = <Type extends DirectoryType>(
  type: Type,
  before: Loaded<DirectoryEntry[Type]>,
  { entry, alongside }: Plan<DirectoryEntry[Type]>,
  at: number,
): Result<Decision<DirectoryEntry[Type]>> =>
  isSameState(before.state, entry)
    ? TE.right({ changes: [], answer: entry })
    : pipe(
        alongside,
        TE.map((changes) => ({
          changes: [changeTo(directoryKinds[type], before, entry, { at, by: null }), ...changes],
          answer: entry,
        })),
      );
