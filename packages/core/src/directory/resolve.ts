import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ClinicalError, type Result, storeFailure } from '../errors.ts';
import { type DirectoryInput, type DirectoryType, entryIn } from './model.ts';

type Answer = DirectoryInput[DirectoryType] | null | undefined;

/**
 * Asks the host for a record that was mentioned and is not in the directory yet; null or undefined where it has none. The
 * answer may have more properties than an entry: a row of the host's own table, say.
 */
export type Resolve = (type: DirectoryType, id: string) => Promise<Answer> | Answer;

/** Puts what a host answers into the directory. */
type Keep = (type: DirectoryType, entry: unknown) => Result<unknown>;

const failed = (cause: unknown): ClinicalError => storeFailure('resolve-failed', cause);

/** Says what is wrong with an answer, and nothing of what is in it. */
const otherId = (type: DirectoryType) =>
  new Error(
    `resolve answered a ${type} whose id is not the text that was asked for. An id that is a number, such as that of an INTEGER PRIMARY KEY, is answered as String(id).`,
  );

/**
 * Asks the host, and keeps what it answers. An answer that is no such entry is the host's fault, not the caller's; one that
 * contradicts what is kept is a `RuleViolation`, since to ask again does not help.
 */
export const asking =
  (resolve: Resolve, keep: Keep) =>
  (type: DirectoryType, id: string): Result<unknown> =>
    pipe(
      TE.tryCatch(async () => {
        const answer = await resolve(type, id);
        if (answer == null) return null;
        if (answer.id !== id) throw otherId(type);
        return entryIn(type, answer);
      }, failed),
      TE.flatMap((entry) =>
        entry === null
          ? TE.right(null)
          : pipe(
              keep(type, entry),
              TE.mapLeft((error) => (error._tag === 'InvalidRequest' ? failed(error) : error)),
            ),
      ),
    );
