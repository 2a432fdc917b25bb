import * as E from 'fp-ts/lib/Either.js';
import type { Outcome } from '../errors.ts';

/** How many are looked up at the same moment: for each that is not known, the host may ask a database of its own. */
const groupSize = 10;

/** Looks up everything that one request mentions, a few at a time, however many they are. */
export const lookUpInGroups =
  <Reference, Found>(lookUp: (mention: Reference) => Outcome<Found>) =>
  async (mentions: readonly Reference[]): Outcome<readonly Found[]> => {
    const found: Found[] = [];
    for (let at = 0; at < mentions.length; at += groupSize) {
      const group = await Promise.all(mentions.slice(at, at + groupSize).map((mention) => lookUp(mention)));
      for (const one of group) {
        if (E.isLeft(one)) return one;
        found.push(one.right);
      }
    }
    return E.right(found);
  };
