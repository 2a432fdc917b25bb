import { type Either, isLeft, left, right } from 'fp-ts/lib/Either.js';
import {
  type ClinicalError,
  formatIssue,
  type GeneralRule,
  type Issue,
  isFailure,
  type Outcome,
  toClinicalError,
} from './errors.ts';
import { lazily } from './lazy.ts';
import type { StoreError } from './store/store-error.ts';

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
export class ClinicalRecordsError<Rule extends string = string> extends Error {
  /** Always `ClinicalRecordsError`. */
  override readonly name = 'ClinicalRecordsError';
  /** The `_tag` of the `error`: says what went wrong, for programs. */
  readonly tag: ClinicalError['_tag'];
  /** Everything that is wrong, each with its message. */
  readonly issues: readonly Issue<Rule | GeneralRule>[];
  /** The error within. Its `_tag` says which other properties it has. */
  readonly error: ClinicalError<Rule | GeneralRule>;

  /**
   * Turns an error of a store, such as one of `store.close()`, into a `StoreFailure` or a `Misuse`. Only these have a
   * `cause`.
   */
  constructor(failure: ClinicalError<Rule> | StoreError) {
    const error: ClinicalError<Rule | GeneralRule> = 'issues' in failure ? failure : toClinicalError(failure);
    super(messageOf(error), isFailure(error) ? { cause: error.cause } : undefined);
    this.tag = error._tag;
    this.issues = error.issues;
    this.error = error;
  }
}

export const resultOf = <A>(ended: Either<ClinicalError | StoreError, A>): A => {
  if (isLeft(ended)) throw new ClinicalRecordsError(ended.left);
  return ended.right;
};

/** The result of an operation that has begun. Rejects with a `ClinicalRecordsError`. */
export const orThrow = async <A>(outcome: Promise<Either<ClinicalError | StoreError, A>>): Promise<A> =>
  resultOf(await outcome);

/** The outcome of work that rejects with a `ClinicalRecordsError`. */
export const toOutcome = async <A>(work: () => Promise<A>): Outcome<A> => {
  try {
    return right(await work());
  } catch (thrown) {
    if (thrown instanceof ClinicalRecordsError) return left(thrown.error);
    throw thrown;
  }
};

/** A service within the library: its functions return their errors, and reject with none. */
export type EithersOf<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends (...sent: infer Sent) => Promise<infer A>
    ? (...sent: Sent) => Outcome<A>
    : Service[Name] extends (...sent: never) => unknown
      ? Service[Name]
      : EithersOf<Service[Name]>;
};

/** A function of a service, whatever it takes and returns. */
export type ServiceFunction = (...sent: readonly never[]) => unknown;

/** A function that returns its errors. */
export type EitherFunction = (...sent: readonly never[]) => Outcome<unknown>;

type ChangeFunction = (run: ServiceFunction, name: string) => ServiceFunction;

const mapPart = (part: unknown, change: ChangeFunction, name: string): unknown => {
  if (typeof part === 'function') return change(part as ServiceFunction, name);
  return typeof part === 'object' && part !== null && !Array.isArray(part)
    ? mapFunctions(part, change, `${name}.`)
    : part;
};

/** Changes each function of a service, and of the services within it. `name` is its path, such as `goals.asJson.read`. */
export const mapFunctions = (service: object, change: ChangeFunction, path = ''): object =>
  Object.fromEntries(
    Object.entries(service).map(([name, part]) => [name, mapPart(part, change, path + name)]),
  );

/** The same for records without some of their parts. Each service is changed when it is first used. */
export const mapRecords = (records: object, omitted: readonly string[], change: ChangeFunction): object =>
  lazily(
    Object.keys(records).filter((name) => !omitted.includes(name)),
    (name) => mapPart(Reflect.get(records, name), change, name),
  );

/** Where a public function keeps the function that returns its errors. */
const either = Symbol('either');

/** Adds to a public function the same one that returns its errors; null if it is the same in each form. */
export const keepEither = <Call extends (...sent: readonly unknown[]) => unknown>(
  call: Call,
  run: ((...sent: readonly unknown[]) => Outcome<unknown>) | null,
): Call => Object.assign(call, { [either]: run });

/**
 * The function that returns the errors of a public one; null for one that is the same in each form, and undefined for one that
 * a host has put in the place of ours.
 */
export const eitherOf = (call: ServiceFunction): EitherFunction | null | undefined =>
  (call as { readonly [either]?: EitherFunction | null })[either];
