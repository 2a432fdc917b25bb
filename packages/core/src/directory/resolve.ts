import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { type ClinicalError, type Result, storeFailure } from '../errors.ts';
import type { DirectoryInput, DirectoryType } from './model.ts';

type Answer = DirectoryInput[DirectoryType] | null | undefined;

/** Asks the host for a record that was mentioned and is not in the directory yet; null or undefined where it has none. */
export type Resolve = (type: DirectoryType, id: string) => Promise<Answer> | Answer;

/** Puts what a host answers into the directory. */
type Keep = (type: DirectoryType, entry: unknown) => Result<unknown>;

const failed = (cause: unknown): ClinicalError => storeFailure('resolve-failed', cause);

/**
 * Asks the host, and keeps what it answers. An answer that is no such entry is the host's fault, not the caller's; one that
 * contradicts what is kept is a `RuleViolation`, since to ask again does not help.
 */
export const asking =
  (resolve: Resolve, keep: Keep) =>
  (type: DirectoryType, id: string): Result<unknown> =>
    pipe(
      TE.tryCatch(async (): Promise<Answer> => resolve(type, id), failed),
      TE.filterOrElse((answer: Answer) => answer == null || answer.id === id, failed),
      TE.flatMap((answer) =>
        answer == null
          ? TE.right(null)
          : pipe(
              keep(type, answer),
              TE.mapLeft((error) => (error._tag === 'InvalidRequest' ? failed(error) : error)),
            ),
      ),
    );
