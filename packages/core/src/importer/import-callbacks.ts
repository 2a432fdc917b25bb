import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, storeFailure } from '../errors.ts';
import type { ImportIssue, ImportProgress } from './import-report.ts';

/** The options of a load. */
export type ImportOptions = ImportCallbackOptions & {
  /**
   * Whether a note that an immunization names is created under that id if the directory lacks it, as in an import of an
   * export of this library. Default: false, so that the note is left out and reported.
   */
  readonly createNotes?: boolean;
};

type ImportCallbackOptions = {
  /** Called after each batch. */
  readonly onProgress?: (progress: ImportProgress) => void;
  /** Called with each issue as it occurs; the report holds only the first thousand. */
  readonly onIssue?: (issue: ImportIssue) => void;
};

/** The callbacks of one load, which do not throw. */
export type ImportCallbacks = Required<ImportCallbackOptions> & {
  /** Returns the error of the callback that threw, if one has. */
  readonly checkFailure: () => E.Either<ClinicalError, void>;
};

/** Guards the callbacks of a load. If one throws, the load ends, and none is called again. */
export const guardCallbacks = ({
  onProgress = () => {},
  onIssue = () => {},
}: ImportCallbackOptions): ImportCallbacks => {
  let failure: ClinicalError | null = null;
  const guard =
    <A>(call: (value: A) => void, rule: 'on-progress-failed' | 'on-issue-failed') =>
    (value: A): void => {
      if (failure !== null) return;
      try {
        call(value);
      } catch (cause) {
        failure = storeFailure(rule, cause);
      }
    };
  return {
    onProgress: guard(onProgress, 'on-progress-failed'),
    onIssue: guard(onIssue, 'on-issue-failed'),
    checkFailure: () => (failure === null ? E.right(undefined) : E.left(failure)),
  };
};
