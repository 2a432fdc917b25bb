/**
 * Keeps a value for all calls that a function makes, directly or after it has awaited something. An `AsyncLocalStorage` of
 * `node:async_hooks` is one.
 */
export type CallContext = {
  /** Calls the function with the value. */
  readonly run: <A>(value: unknown, work: () => A) => A;
  /** The value of the function that makes this call, or undefined. */
  readonly getStore: () => unknown;
};
