import { type Either, isLeft, left, right, tryCatch } from 'fp-ts/lib/Either.js';
import {
  type ClinicalError,
  formatIssue,
  type GeneralRule,
  type Issue,
  isFailure,
  type Outcome,
  toClinicalError,
} from './errors.ts';
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

const resultOf = <A>(ended: Either<ClinicalError | StoreError, A>): A => {
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

/** Changes each function of a service, and of the services within it. `name` is its path, such as `goals.asJson.read`. */
export const mapFunctions = (
  service: object,
  change: (run: ServiceFunction, name: string) => ServiceFunction,
  path = '',
): object =>
  Object.fromEntries(
    Object.entries<unknown>(service as Record<string, unknown>).map(([name, part]) => {
      const named = `${path}${name}`;
      if (typeof part === 'function') return [name, change(part as ServiceFunction, named)];
      return [
        name,
        typeof part === 'object' && part !== null && !Array.isArray(part)
          ? mapFunctions(part, change, `${named}.`)
          : part,
      ];
    }),
  );

const iteration = Symbol('iteration');

/** Whether a function was made by `createIteration`. */
export const isIteration = (run: ServiceFunction): boolean => iteration in run;

async function* throwAtFirst(thrown: unknown): AsyncGenerator<never, void> {
  yield await Promise.reject(thrown);
}

/**
 * Makes a function that iterates. It reads its arguments at the call. The rest begins when the first element is requested, which also
 * throws what the reading has thrown.
 */
export const createIteration = <Sent extends readonly unknown[], Request, Item>(
  read: (...sent: Sent) => Request,
  iterate: (request: Request) => AsyncGenerator<Item, void>,
): ((...sent: Sent) => AsyncGenerator<Item, void>) =>
  Object.assign(
    (...sent: Sent): AsyncGenerator<Item, void> => {
      const request = tryCatch(
        () => read(...sent),
        (thrown) => thrown,
      );
      return isLeft(request) ? throwAtFirst(request.left) : iterate(request.right);
    },
    { [iteration]: true },
  );

/** Where a public function keeps the function that returns its errors. */
const either = Symbol('either');

/** Makes a public function of one that rejects with its errors, and the same one that returns them. */
export const keepEither = <Call extends ServiceFunction>(call: Call, run: EitherFunction): Call =>
  Object.assign(call, { [either]: run });

/** Makes a function public: it rejects with a `ClinicalRecordsError`. */
export const toPromise = <Sent extends readonly unknown[], A>(
  run: (...sent: Sent) => Outcome<A>,
): ((...sent: Sent) => Promise<A>) =>
  keepEither(async (...sent: Sent) => resultOf(await run(...sent)), run as ServiceFunction as EitherFunction);

/** Makes a service public: its functions, and those of its `asJson`. */
export const toPromises = <Service extends object>(eithers: EithersOf<Service>): Service =>
  mapFunctions(eithers, (run) => (isIteration(run) ? run : toPromise(run as EitherFunction))) as Service;

/** The function that returns the errors of a public one; undefined for a function that was not made by `toPromise`. */
export const eitherOf = (call: ServiceFunction): EitherFunction | undefined =>
  (call as { readonly [either]?: EitherFunction })[either];
