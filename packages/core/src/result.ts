import * as E from 'fp-ts/lib/Either.js';
import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { ClinicalRecordsError } from './clinical-records-error.ts';
import type { ClinicalError, ClinicalTask } from './errors.ts';
import type { StoreError } from './store/port.ts';

/**
 * The outcome of a function, to be awaited or run as a task of fp-ts. Nothing is done before that.
 *
 * Awaited, it runs once, however often it is awaited, and rejects with a `ClinicalRecordsError`. Called, or piped into
 * a task that is called, it runs each time and returns an `Either` with the `ClinicalError`.
 *
 * @example
 * const team = await records.careTeams.read('7');
 * const name = pipe(records.careTeams.read('7'), TE.map((team) => team.name)); // runs with name()
 */
export type Result<A> = TaskEither<ClinicalError, A> & PromiseLike<A>;

/** Runs a task. Rejects with a `ClinicalRecordsError`. */
export const runTask = async <A>(task: TaskEither<ClinicalError | StoreError, A>): Promise<A> => {
  const outcome = await task();
  if (E.isLeft(outcome)) throw new ClinicalRecordsError(outcome.left);
  return outcome.right;
};

/**
 * Makes a task awaitable, such as the `close` of a store. The task of a service becomes a `Result`.
 *
 * @example
 * const close = () => createResult(store.close());
 */
export const createResult = <Failure extends ClinicalError | StoreError, A>(
  task: TaskEither<Failure, A>,
): TaskEither<Failure, A> & PromiseLike<A> => {
  let awaited: Promise<A> | undefined;
  const then: PromiseLike<A>['then'] = (fulfilled, rejected) => {
    awaited ??= runTask(task);
    return awaited.then(fulfilled, rejected);
  };
  // Each read creates a result, and `Object.assign` would take six times as long.
  const result = () => task();
  // biome-ignore lint/suspicious/noThenProperty: this is what `await` calls.
  result.then = then;
  return result;
};

/** A service within the library: its functions return plain tasks. */
export type TasksOf<Service> = {
  readonly [Name in keyof Service]: Service[Name] extends (...sent: infer Sent) => Result<infer A>
    ? (...sent: Sent) => ClinicalTask<A>
    : Service[Name] extends (...sent: never) => AsyncGenerator
      ? Service[Name]
      : TasksOf<Service[Name]>;
};

type ServiceFunction = (...sent: readonly never[]) => ClinicalTask<unknown> | AsyncGenerator;

const toAwaitable = (returned: ClinicalTask<unknown> | AsyncGenerator) =>
  typeof returned === 'function' ? createResult(returned) : returned;

/** Makes a service public: its functions, and those of its `asJson`, return results that can be awaited. */
export const createResults = <Service extends object>(tasks: TasksOf<Service>): Service =>
  Object.fromEntries(
    Object.entries<ServiceFunction | object>(tasks).map(([name, part]) => [
      name,
      typeof part === 'function'
        ? (...sent: readonly never[]) => toAwaitable(part(...sent))
        : createResults<object>(part),
    ]),
  ) as Service;
