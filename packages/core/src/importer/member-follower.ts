import * as E from 'fp-ts/lib/Either.js';
import type { MemberType } from '../directory/model.ts';
import type { ClinicalError, Outcome } from '../errors.ts';
import type { ImportResult } from './batch-importer.ts';

/** Renames a member in all care teams. */
export type RenameMember = (type: MemberType, id: string) => Outcome<unknown>;

/** Carries the names of the members in a batch to the care teams. */
export type MemberFollower = (batch: readonly ImportResult[]) => Promise<E.Either<ClinicalError, void>>;

/**
 * Carries the names of members to the care teams after each batch. A changed member is renamed in all teams. An unchanged one
 * is renamed once in a load, for an earlier load may have ended before it had renamed all. A new one is in no team.
 */
export const createMemberFollower = (renameMember: RenameMember): MemberFollower => {
  const followed = new Set<string>();
  return async (batch) => {
    for (const [, result] of batch) {
      if (E.isLeft(result) || result.right.member === undefined) continue;
      const { countedAs, member } = result.right;
      const key = `${member.type}/${member.id}`;
      const isKnown = followed.has(key);
      followed.add(key);
      if (member.isNew || (isKnown && countedAs === 'unchanged')) continue;
      const renamed = await renameMember(member.type, member.id);
      if (E.isLeft(renamed)) return renamed;
    }
    return E.right(undefined);
  };
};
