import * as E from 'fp-ts/lib/Either.js';
import { asFailure, type Result } from '../errors.ts';
import type { ClinicalStore } from '../store/port.ts';

type Write = (...sent: readonly never[]) => Result<unknown>;

/** The names of the functions of a service that give a task. */
type WriteOf<Service> = {
  [Name in keyof Service]: Service[Name] extends Write ? Name : never;
}[keyof Service];

/**
 * Has functions of a service ask the store whether they can begin where they are called. They read and decide in turns of
 * their own, when a synchronous transaction in which they were called is over: no later question would find it.
 */
export const askingToBegin =
  ({ begin }: ClinicalStore) =>
  <Service extends object>(service: Service, ...names: readonly WriteOf<Service>[]): Service => {
    if (begin === undefined) return service;
    const asking = names.map((name) => {
      const write = service[name] as Write;
      const asked: Write = (...sent) => {
        const task = write(...sent);
        return async () => {
          const begun = await begin();
          return E.isLeft(begun) ? E.left(asFailure(begun.left)) : task();
        };
      };
      return [name, asked] as const;
    });
    return { ...service, ...Object.fromEntries(asking) };
  };
