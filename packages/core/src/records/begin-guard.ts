import * as E from 'fp-ts/lib/Either.js';
import { type Result, toClinicalError } from '../errors.ts';
import type { ClinicalStore } from '../store/port.ts';

type WriteFunction = (...sent: readonly never[]) => Result<unknown>;

/** The names of the functions of a service that give a task. */
type WriteNames<Service> = {
  [Name in keyof Service]: Service[Name] extends WriteFunction ? Name : never;
}[keyof Service];

/**
 * Has functions of a service ask the store whether they can begin where they are called. They read and decide in turns of
 * their own, when a synchronous transaction in which they were called is over: no later question would find it.
 */
export const createBeginGuard =
  ({ begin }: ClinicalStore) =>
  <Service extends object>(service: Service, ...names: readonly WriteNames<Service>[]): Service => {
    if (begin === undefined) return service;
    const guarded = names.map((name) => {
      const write = service[name] as WriteFunction;
      const guardedWrite: WriteFunction = (...sent) => {
        const task = write(...sent);
        return async () => {
          const begun = await begin();
          return E.isLeft(begun) ? E.left(toClinicalError(begun.left)) : task();
        };
      };
      return [name, guardedWrite] as const;
    });
    return { ...service, ...Object.fromEntries(guarded) };
  };
