import * as E from 'fp-ts/lib/Either.js';
import type { ReportAccess } from './access/access.ts';
import { type CallReport, type ReportedCall, reportCall, reportIteration } from './access/report-call.ts';
import type { WarningOptions } from './access/warnings.ts';
import { type ClinicalError, type Outcome, toClinicalError } from './errors.ts';
import { type ArgumentForms, type Form, type OptionForms, readArguments } from './forms.ts';
import { ClinicalRecordsError, type EithersOf, keepEither, resultOf } from './outcome.ts';
import type { ClinicalStore, StoreOutcome } from './store/port.ts';
import type { StoreError } from './store/store-error.ts';
import type { Transaction } from './store/transaction.ts';

/** Whether one of the arguments has a `by`. Each is looked at by itself: a body of an unknown type would hide all others. */
type NamesUser<Sent extends readonly unknown[]> = true extends {
  [At in keyof Sent]: 'by' extends keyof NonNullable<Sent[At]> ? true : false;
}[number]
  ? true
  : false;

type FormsOf<Sent extends readonly unknown[]> = { readonly [At in keyof Sent]: Form };

/** The forms of all arguments; or of those before the options, and of the options. */
type Arguments<Sent extends readonly unknown[]> =
  | { readonly takes: FormsOf<Sent>; readonly options?: undefined }
  | (Sent extends readonly [...infer First, infer Options]
      ? { readonly takes: FormsOf<First>; readonly options: OptionForms<NonNullable<Options>> }
      : never);

/** How the calls of a function that can name a user are reported to the audit; null if they are not. */
type ReportedAs<Sent extends readonly unknown[], Result> =
  NamesUser<Sent> extends true
    ? {
        /** The interaction and the type of resource, with the arguments that name an id and parameters; or by all arguments. */
        readonly access:
          | Pick<ReportedCall, 'interaction' | 'type'>
          | ((...sent: Sent) => ReportedCall<Awaited<Result>>)
          | null;
      }
    : { readonly access?: undefined };

type Kind<Result> =
  Result extends Promise<unknown>
    ? 'read' | 'search' | 'write'
    : Result extends AsyncGenerator
      ? 'stream'
      : 'pure';

/** The functions of a service: what each is, what it takes, and how it is reported. The parts of a service are services, too. */
export type FunctionTable<Service> = {
  readonly [Name in keyof Service]-?: Service[Name] extends (...sent: infer Sent) => infer Result
    ? { readonly kind: Kind<Result> } & Arguments<Required<Sent>> & ReportedAs<Sent, Result>
    : FunctionTable<Service[Name]>;
};

/** The duties around the calls of a service. */
export type Door = {
  /** The error of a function that these records do not have. */
  readonly refuse?: (name: string) => ClinicalError | null;
  /** Has a call belong to a transaction. */
  readonly watch?: Transaction['watch'];
  /** Reports a call to the audit. */
  readonly report?: ReportAccess;
  /** Keeps the warnings of a write until its transaction is written. */
  readonly defer?: (tell: () => void) => void;
  /** Asks whether a write can begin. Null if there is nothing to wait for. */
  readonly begin?: () => StoreOutcome<void> | null;
};

/** A function of the host within which the records refuse to write. */
type HostCallback = {
  /** The error of a write. */
  readonly refusal: StoreError;
  /** Whether it may write on the records of a transaction. */
  readonly writesInTransaction: boolean;
};

/** The function of the host by which a call is made. */
type RunningCallback = HostCallback & { isRunning: boolean };

/** The callback of `records.transaction`, in which a write on the records themselves was forgotten. */
export const transactionCallback: HostCallback = {
  refusal: {
    _tag: 'Misuse',
    message:
      'This was called inside the callback of records.transaction, and would not be a part of it. Call it on the tx of the callback, or after the end of the transaction.',
  },
  writesInTransaction: true,
};

/** A rule, which is asked again after a conflict. */
export const ruleCallback: HostCallback = {
  refusal: {
    _tag: 'Misuse',
    message:
      'This was called by a rule, which is asked again if a record changes. A rule only reads: write in what follows a change, such as a webhook.',
  },
  writesInTransaction: false,
};

/** Runs a function of the host within which the records refuse to write. */
export const runAsCallback = async <A>(
  { callContext }: ClinicalStore,
  hostCallback: HostCallback,
  work: () => PromiseLike<A>,
): Promise<A> => {
  if (callContext === undefined) return work();
  const callback: RunningCallback = { ...hostCallback, isRunning: true };
  try {
    return await callContext.run(callback, work);
  } finally {
    callback.isRunning = false;
  }
};

/**
 * Whether a write can begin, on a store of the host or on that of a transaction on it. Null if there is nothing to wait for.
 */
export const beginWrite = (
  { begin }: ClinicalStore,
  {
    callContext,
    isInTransaction,
  }: { readonly callContext: ClinicalStore['callContext'] | undefined; readonly isInTransaction: boolean },
): StoreOutcome<void> | null => {
  const callback = callContext?.getStore() as RunningCallback | undefined;
  const isRefused = callback?.isRunning && !(isInTransaction && callback.writesInTransaction);
  return isRefused ? Promise.resolve(E.left(callback.refusal)) : (begin?.() ?? null);
};

type AnyFunction = (...sent: readonly unknown[]) => unknown;
type AnyCall = (...sent: readonly unknown[]) => Outcome<unknown>;
type AnyIteration = (...sent: readonly unknown[]) => AsyncGenerator<unknown, void>;

/** An entry of any table. */
type AnyEntry = ArgumentForms & {
  readonly kind: 'read' | 'search' | 'write' | 'stream' | 'pure';
  readonly access?:
    | Pick<ReportedCall, 'interaction' | 'type'>
    | ((...sent: readonly unknown[]) => ReportedCall)
    | null;
};

type AnyTable = { readonly [name: string]: AnyEntry | AnyTable };
type AnyService = { readonly [name: string]: AnyFunction | AnyService };

const isEntry = (part: AnyEntry | AnyTable): part is AnyEntry => typeof part.kind === 'string';

/** A function of a service, and what is done around it. */
type GuardedFunction<Run> = {
  readonly run: Run;
  /** Returns the arguments that the function gets, or the error of a call that is refused. */
  readonly read: (sent: readonly unknown[]) => E.Either<ClinicalError, readonly unknown[]>;
  readonly report: CallReport | null;
};

/** Makes a write ask whether it can begin. Without a question to wait for, its arguments are read at the call. */
const createBeginning =
  (run: AnyCall, begin: NonNullable<Door['begin']>): AnyCall =>
  (...sent) => {
    const begins = begin();
    return begins === null
      ? run(...sent)
      : begins.then((begun) => (E.isLeft(begun) ? E.left(toClinicalError(begun.left)) : run(...sent)));
  };

/** The order of the duties: a call is refused, or reported, begun if it is a write, and run. */
const createCall =
  ({ run, read, report }: GuardedFunction<AnyCall>): AnyCall =>
  (...sent) => {
    const given = read(sent);
    if (report === null) return E.isLeft(given) ? Promise.resolve(given) : run(...given.right);
    return E.isLeft(given)
      ? reportCall(report, sent, async () => given)
      : reportCall(report, given.right, (args) => run(...args));
  };

// biome-ignore lint/correctness/useYield: it fails when its first element is requested.
async function* fail(error: ClinicalError): AsyncGenerator<never, void> {
  throw new ClinicalRecordsError(error);
}

/** The same for an iteration. */
const createStream =
  ({ run, read, report }: GuardedFunction<AnyIteration>): AnyIteration =>
  (...sent) => {
    const given = read(sent);
    if (report === null) return E.isLeft(given) ? fail(given.left) : run(...given.right);
    return E.isLeft(given)
      ? reportIteration(report, sent, () => fail(given.left))
      : reportIteration(report, given.right, (args) => run(...args));
  };

/** How the calls of a function are reported; null if they are not. Its options name the user, unless the entry says it. */
const reportOf = ({ takes, access }: AnyEntry, { report }: Door): CallReport | null => {
  if (report === undefined || access == null) return null;
  if (typeof access === 'function') return { report, accessOf: (sent) => access(...sent) };
  const indexOf = (named: Form['names']) => takes.findIndex(({ names }) => names === named);
  const [idAt, parametersAt] = [indexOf('id'), indexOf('parameters')];
  return {
    report,
    accessOf: (sent) => ({
      ...access,
      id: sent[idAt],
      parameters: sent[parametersAt],
      user: sent[takes.length] as ReportedCall['user'],
    }),
  };
};

/** Has the calls of a function belong to a transaction, until they have ended. */
const createWatched =
  <A>(
    call: (...sent: readonly unknown[]) => Promise<A>,
    name: string,
    watch: NonNullable<Door['watch']>,
  ): ((...sent: readonly unknown[]) => Promise<A>) =>
  (...sent) => {
    const begun = call(...sent);
    watch(begun, name);
    return begun;
  };

type ReadArguments = GuardedFunction<AnyFunction>['read'];

/** Has the arguments of a write say its warnings only when its transaction is written. */
const createDeferring =
  (read: ReadArguments, { takes }: AnyEntry, defer: NonNullable<Door['defer']>): ReadArguments =>
  (sent) =>
    E.map((given: readonly unknown[]) => {
      const options = given[takes.length] as WarningOptions | undefined;
      const onWarnings = options?.onWarnings;
      if (onWarnings === undefined) return given;
      const deferred: WarningOptions = { onWarnings: (warnings) => defer(() => onWarnings(warnings)) };
      return [...given.slice(0, takes.length), { ...options, ...deferred }];
    })(read(sent));

/** Makes a function public, in its two forms: one rejects with its errors, and one returns them. */
const openFunction = (name: string, entry: AnyEntry, run: AnyFunction, door: Door): AnyFunction => {
  const { kind } = entry;
  const { watch, begin, defer } = door;
  const refusal = door.refuse?.(name) ?? null;
  const readSent: ReadArguments =
    refusal === null ? readArguments.bind(null, name, entry) : () => E.left(refusal);
  const isDeferred = defer !== undefined && entry.options?.onWarnings !== undefined;
  const read = isDeferred ? createDeferring(readSent, entry, defer) : readSent;
  const report = reportOf(entry, door);
  if (kind === 'pure') return keepEither((...sent) => run(...resultOf(read(sent))), null);
  if (kind === 'stream') return keepEither(createStream({ run: run as AnyIteration, read, report }), null);
  const begins = kind === 'write' && begin !== undefined;
  const begun = begins ? createBeginning(run as AnyCall, begin) : (run as AnyCall);
  const call = createCall({ run: begun, read, report });
  const rejecting = async (...sent: readonly unknown[]) => {
    const ended = await call(...sent);
    if (E.isLeft(ended)) throw new ClinicalRecordsError(ended.left);
    return ended.right;
  };
  return watch === undefined
    ? keepEither(rejecting, call)
    : keepEither(createWatched(rejecting, name, watch), createWatched(call, name, watch));
};

const openPart = (
  name: string,
  part: AnyEntry | AnyTable,
  run: AnyFunction | AnyService | undefined,
  door: Door,
): unknown =>
  isEntry(part)
    ? openFunction(name, part, run as AnyFunction, door)
    : openTable(`${name}.`, part, run as AnyService, door);

const openTable = (path: string, table: AnyTable, service: AnyService, door: Door): object => {
  const opened: Record<string, unknown> = {};
  for (const [name, part] of Object.entries(table))
    opened[name] = openPart(path + name, part, service[name], door);
  return opened;
};

/** Makes a service public by its table. The names of its functions begin with `path`. */
export const openService = <Service extends object>(
  service: EithersOf<Service>,
  table: FunctionTable<Service>,
  { path = '', ...door }: Door & { readonly path?: string } = {},
): Service =>
  openTable(path, table as unknown as AnyTable, service as unknown as AnyService, door) as Service;

/** The parts of records, each of which is made when it is first used. */
export type LazyParts<Parts> = { readonly [Name in keyof Parts]: () => EithersOf<Parts>[Name] };

/** Returns the function that makes the part of records with a name public. */
export const createPartOpener =
  <Parts extends object>(parts: LazyParts<Parts>, table: FunctionTable<Parts>, door: Door) =>
  (name: string): unknown => {
    const make = parts[name as keyof Parts] as () => AnyFunction | AnyService;
    return openPart(name, (table as unknown as AnyTable)[name] as AnyEntry | AnyTable, make(), door);
  };
