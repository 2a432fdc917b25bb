import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalTask, toClinicalError } from '../errors.ts';
import type { ClinicalStore } from '../store/port.ts';

type WriteFunction = (...sent: readonly never[]) => ClinicalTask<unknown>;

/** The names of the functions of a service that return a task. */
type WriteNames<Service> = {
  [Name in keyof Service]: Service[Name] extends WriteFunction ? Name : never;
}[keyof Service];

/**
 * Makes functions of a service ask the store whether they can begin, both at the call and when their task runs. Both are
 * needed: a synchronous transaction in which a function is called is over before an `await` runs its task.
 */
export const createBeginGuard =
  ({ begin }: ClinicalStore) =>
  <Service extends object>(service: Service, ...names: readonly WriteNames<Service>[]): Service => {
    if (begin === undefined) return service;
    const guarded = names.map((name) => {
      const write = service[name] as WriteFunction;
      const guardedWrite: WriteFunction = (...sent) => {
        const called = begin();
        const task = write(...sent);
        return async () => {
          // Both questions are asked at once, because a question after an `await` would be too late.
          const begun = await Promise.all([called, begin()]);
          const refused = begun.find(E.isLeft);
          return refused === undefined ? task() : E.left(toClinicalError(refused.left));
        };
      };
      return [name, guardedWrite] as const;
    });
    return { ...service, ...Object.fromEntries(guarded) };
  };
