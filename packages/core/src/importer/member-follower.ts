import * as E from 'fp-ts/lib/Either.js';
import type { DirectoryFollower } from '../directory/directory-follower.ts';
import type { ClinicalError } from '../errors.ts';
import type { ImportResult } from './batch-importer.ts';

/**
 * Has care teams show the names that members have after a batch. One whose name has changed is looked for in all teams; one
 * that is as before only once in a load, for an earlier load may have ended before it had renamed all; a new one is in none.
 */
export const createMemberFollower = (renameMember: DirectoryFollower['afterMember']) => {
  const followed = new Set<string>();
  return async (batch: readonly ImportResult[]): Promise<E.Either<ClinicalError, void>> => {
    for (const [, result] of batch) {
      if (E.isLeft(result) || result.right.member === undefined) continue;
      const { countedAs, member } = result.right;
      const key = `${member.type}/${member.id}`;
      const isKnown = followed.has(key);
      followed.add(key);
      if (member.isNew || (isKnown && countedAs === 'alreadyHere')) continue;
      const renamed = await renameMember(member.type, member.id)();
      if (E.isLeft(renamed)) return renamed;
    }
    return E.right(undefined);
  };
};
