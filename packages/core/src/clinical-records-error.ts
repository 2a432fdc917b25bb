import { type ClinicalError, formatIssue, type Issue, toClinicalError } from './errors.ts';
import type { StoreError } from './store/port.ts';

/**
 * The resource that was not found, in a form that fits one line of a log. Its id can be any text that a request names.
 */
const placeOf = (error: ClinicalError): string =>
  error._tag === 'NotFound'
    ? `${error.resourceType}/${error.id.slice(0, 100)}`.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '')
    : '';

const messageOf = (error: ClinicalError): string => {
  const place = placeOf(error);
  return `${error._tag}: ${place === '' ? '' : `${place}: `}${error.issues.map(formatIssue).join(' ')}`;
};

/**
 * The error that every awaited function of the library rejects with. Its `message` is fit for a log. It has the tag,
 * the type and id of a resource that was not found, and each issue with its expression and message.
 *
 * @example
 * try {
 *   await records.careTeams.read('7');
 * } catch (thrown) {
 *   if (thrown instanceof ClinicalRecordsError && thrown.tag === 'NotFound') return null;
 *   throw thrown;
 * }
 */
export class ClinicalRecordsError extends Error {
  /** Always `ClinicalRecordsError`. */
  override readonly name = 'ClinicalRecordsError';
  /** The `_tag` of the `error`: says what went wrong, for programs. */
  readonly tag: ClinicalError['_tag'];
  /** Everything that is wrong, each with its message. */
  readonly issues: readonly Issue[];
  /** The error within. Its `_tag` says which other properties it has. */
  readonly error: ClinicalError;

  /**
   * Turns an error of a store, such as one of `store.close()`, into a `StoreFailure`. Only a `StoreFailure` has a
   * `cause`.
   */
  constructor(failure: ClinicalError | StoreError) {
    const error = 'issues' in failure ? failure : toClinicalError(failure);
    super(messageOf(error), error._tag === 'StoreFailure' ? { cause: error.cause } : undefined);
    this.tag = error._tag;
    this.issues = error.issues;
    this.error = error;
  }
}
