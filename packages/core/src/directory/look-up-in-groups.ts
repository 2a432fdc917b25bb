import { pipe } from 'fp-ts/lib/function.js';
import * as RA from 'fp-ts/lib/ReadonlyArray.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import type { ClinicalTask } from '../errors.ts';

/** How many are looked up at the same moment: for each that is not known, the host may ask a database of its own. */
const groupSize = 10;

/** Looks up everything that one request mentions, a few at a time, however many they are. */
export const lookUpInGroups =
  <Reference, Found>(lookUp: (mention: Reference) => ClinicalTask<Found>) =>
  (mentions: readonly Reference[]): ClinicalTask<readonly Found[]> =>
    pipe(
      RA.chunksOf(groupSize)(mentions),
      TE.traverseSeqArray(TE.traverseArray(lookUp)),
      TE.map((groups) => groups.flat()),
    );
