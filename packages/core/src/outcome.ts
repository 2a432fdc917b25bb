import { type Either, isLeft } from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from './clinical-records-error.ts';
import type { ClinicalError, Outcome } from './errors.ts';
import type { StoreError } from './store/port.ts';

/** The result of an operation that has begun. Rejects with a `ClinicalRecordsError`. */
export const orThrow = async <A>(outcome: Promise<Either<ClinicalError | StoreError, A>>): Promise<A> => {
  const ended = await outcome;
  if (isLeft(ended)) throw new ClinicalRecordsError(ended.left);
  return ended.right;
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

const AsyncGeneratorFunction = async function* () {}.constructor;

/** Whether a function iterates. It begins only when its first element is requested, and then throws its errors. */
export const isIteration = (run: ServiceFunction): boolean => run instanceof AsyncGeneratorFunction;

/** Where a public function keeps the function that returns its errors. */
const either = Symbol('either');

/** Makes a public function of one that rejects with its errors, and the same one that returns them. */
export const keepEither = <Call extends ServiceFunction>(call: Call, run: EitherFunction): Call =>
  Object.assign(call, { [either]: run });

/** Makes a function public: it rejects with a `ClinicalRecordsError`. */
export const toPromise = <Sent extends readonly unknown[], A>(
  run: (...sent: Sent) => Outcome<A>,
): ((...sent: Sent) => Promise<A>) =>
  keepEither(
    async (...sent: Sent) => {
      const ended = await run(...sent);
      if (isLeft(ended)) throw new ClinicalRecordsError(ended.left);
      return ended.right;
    },
    run as ServiceFunction as EitherFunction,
  );

/** Makes a service public: its functions, and those of its `asJson`. */
export const toPromises = <Service extends object>(eithers: EithersOf<Service>): Service =>
  mapFunctions(eithers, (run) => (isIteration(run) ? run : toPromise(run as EitherFunction))) as Service;

/** The function that returns the errors of a public one; undefined for a function that was not made by `toPromise`. */
export const eitherOf = (call: ServiceFunction): EitherFunction | undefined =>
  (call as { readonly [either]?: EitherFunction })[either];
