import * as E from 'fp-ts/lib/Either.js';
import type { Following } from '../directory/following.ts';
import type { ClinicalError } from '../errors.ts';
import type { Taken } from './take-batch.ts';

/**
 * Has care teams show the names that members have after a batch. One whose name has changed is looked for in all teams; one
 * that is as before only once in a load, for an earlier load may have ended before it had renamed all; a new one is in none.
 */
export const createFollower = (follow: Following['memberAfterwards']) => {
  const followed = new Set<string>();
  return async (batch: readonly Taken[]): Promise<E.Either<ClinicalError, void>> => {
    for (const [, result] of batch) {
      if (E.isLeft(result) || result.right.member === undefined) continue;
      const { countedAs, member } = result.right;
      const key = `${member.type}/${member.id}`;
      const isKnown = followed.has(key);
      followed.add(key);
      if (member.isNew || (isKnown && countedAs === 'alreadyHere')) continue;
      const renamed = await follow(member.type, member.id)();
      if (E.isLeft(renamed)) return renamed;
    }
    return E.right(undefined);
  };
};
