import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import type { ClinicalStore, StoreOutcome } from '../store/port.ts';

type WriteFunction = (...sent: readonly never[]) => Outcome<unknown>;

/** The names of the functions of a service that can write. */
type WriteNames<Service> = {
  [Name in keyof Service]: Service[Name] extends WriteFunction ? Name : never;
}[keyof Service];

/** Makes functions of a service ask the store whether they can begin. */
export const createBeginGuard =
  ({ begin }: ClinicalStore) =>
  <Service extends object>(service: Service, ...names: readonly WriteNames<Service>[]): Service => {
    if (begin === undefined) return service;
    const guarded = names.map((name) => {
      const write = service[name] as WriteFunction;
      const writeIfBegun = async (
        begins: StoreOutcome<void>,
        ...sent: readonly never[]
      ): Outcome<unknown> => {
        const begun = await begins;
        return E.isLeft(begun) ? E.left(toClinicalError(begun.left)) : write(...sent);
      };
      const guardedWrite: WriteFunction = (...sent) => {
        const begins = begin();
        // Without a question to wait for, the arguments are read at the call.
        return begins === null ? write(...sent) : writeIfBegun(begins, ...sent);
      };
      return [name, guardedWrite] as const;
    });
    return { ...service, ...Object.fromEntries(guarded) };
  };
