import * as E from 'fp-ts/lib/Either.js';
import { type Outcome, toClinicalError } from '../errors.ts';
import type { ClinicalStore, StoreError, StoreOutcome } from '../store/port.ts';

/** The callback of `records.transaction` by which a call is made. */
type Callback = { isRunning: boolean };

const forgottenError: StoreError = {
  _tag: 'Misuse',
  message:
    'This was called inside the callback of records.transaction, and would not be a part of it. Call it on the tx of the callback, or after the end of the transaction.',
};

/** Runs the callback of `records.transaction`, so that writes by it on the records themselves are known. */
export const runAsCallback = async <A>(
  { callContext }: ClinicalStore,
  work: () => PromiseLike<A>,
): Promise<A> => {
  if (callContext === undefined) return work();
  const callback: Callback = { isRunning: true };
  try {
    return await callContext.run(callback, work);
  } finally {
    callback.isRunning = false;
  }
};

/** Whether a write can begin that is not a part of a transaction. Null if there is nothing to wait for. */
export const beginWrite = ({ callContext, begin }: ClinicalStore): StoreOutcome<void> | null => {
  const callback = callContext?.getStore() as Callback | undefined;
  if (callback?.isRunning) return Promise.resolve(E.left(forgottenError));
  return begin?.() ?? null;
};

type WriteFunction = (...sent: readonly never[]) => Outcome<unknown>;

/** The names of the functions of a service that can write. */
type WriteNames<Service> = {
  [Name in keyof Service]: Service[Name] extends WriteFunction ? Name : never;
}[keyof Service];

/** Makes functions of a service ask whether a write can begin. */
export const createBeginGuard =
  (store: ClinicalStore) =>
  <Service extends object>(service: Service, ...names: readonly WriteNames<Service>[]): Service => {
    if (store.begin === undefined && store.callContext === undefined) return service;
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
        const begins = beginWrite(store);
        // Without a question to wait for, the arguments are read at the call.
        return begins === null ? write(...sent) : writeIfBegun(begins, ...sent);
      };
      return [name, guardedWrite] as const;
    });
    return { ...service, ...Object.fromEntries(guarded) };
  };
