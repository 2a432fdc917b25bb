import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, misuse, type Outcome, storeFailure } from '../errors.ts';
import { createSlots } from '../store/slots.ts';
import type { TransactionConnection } from '../store/transaction.ts';
import { waitAtMost } from '../store/wait-at-most.ts';
import { type DirectoryInput, type DirectoryType, pickEntry } from './model.ts';

/** An entry, with null for what it does not have, as a row of a table has it. */
type Row<Entry> = {
  readonly [Name in keyof Entry]: undefined extends Entry[Name] ? Entry[Name] | null : Entry[Name];
};

/** The entry of a type, or null or undefined where the host has none. */
type ResolvedEntry<Type extends DirectoryType> = Row<DirectoryInput[Type]> | null | undefined;

type ResolveResult<Type extends DirectoryType> = Promise<ResolvedEntry<Type>> | ResolvedEntry<Type>;

/**
 * Asks the host for a record that is referred to and not in the directory yet. It is one function for all types, or a function
 * for each type that the host has. It returns null or undefined if there is no record. The entry may have more properties, such
 * as a row of the host's own table.
 *
 * In a transaction of the host (`records.in`), it also gets the connection of that transaction, which sees what the transaction
 * has written. It is undefined elsewhere, also in `records.transaction`, whose callback runs while nothing is open. On a connection,
 * one call follows the other.
 *
 * @example
 * const resolve: Resolver = {
 *   Patient: (id) => ({ id, lastName: 'Shaw', firstName: 'Amy' }),
 *   Encounter: (id, connection) => findVisit(connection ?? pool, id),
 * };
 */
export type Resolver =
  | { readonly [Type in DirectoryType]?: (id: string, connection?: ResolveConnection) => ResolveResult<Type> }
  | ((type: DirectoryType, id: string, connection?: ResolveConnection) => ResolveResult<DirectoryType>);

/** Only the host knows the type of its transaction, which may be any. */
type ResolveConnection = TransactionConnection<never>;

/**
 * Asks the host for an entry and returns its known properties, or null if there is none. With `onlyPatientIds`, an entry of
 * another patient counts as missing.
 */
export type HostLookup = (
  type: DirectoryType,
  id: string,
  onlyPatientIds: ReadonlySet<string> | null,
) => Outcome<object | null>;

type LookupResult = E.Either<ClinicalError, object | null>;

/** How long a missing entry is remembered, in milliseconds, and how many are remembered at once. */
const memoryLimits = { maxAge: 1_000, maxEntries: 1_000 } as const;

/** Says what is wrong with the result, without its content. */
const wrongIdError = (type: DirectoryType) =>
  misuse(
    `resolve() returned a ${type} with another id than the one requested. Convert an id that is a number, such as an INTEGER PRIMARY KEY, by String(id).`,
  );

const isOfOtherPatient = (entry: object, onlyPatientIds: ReadonlySet<string> | null): boolean => {
  const patientId: unknown = 'patientId' in entry ? entry.patientId : undefined;
  return onlyPatientIds !== null && typeof patientId === 'string' && !onlyPatientIds.has(patientId);
};

/** Remembers keys for `maxAge`, by the host's clock. Beyond `maxEntries`, it forgets the oldest key. */
const createShortMemory = (now: () => number) => {
  const times = new Map<string, number>();
  return {
    has: (key: string): boolean => {
      const age = now() - (times.get(key) ?? Number.NEGATIVE_INFINITY);
      return age >= 0 && age < memoryLimits.maxAge;
    },
    add: (key: string): void => {
      const [oldest] = times.keys();
      if (oldest !== undefined && times.size >= memoryLimits.maxEntries) times.delete(oldest);
      times.delete(key);
      times.set(key, now());
    },
  };
};

/**
 * Creates a lookup that limits the calls of the host. Simultaneous lookups of an entry share one call, and a missing entry is
 * remembered for a second. If the host throws, or takes longer than the timeout, the lookup fails
 * with a `StoreFailure`; if it returns another entry, with a `Misuse`. The calls on the `connection` of a transaction follow one another, as its statements do.
 */
export const createHostLookup = (
  resolve: Resolver,
  now: () => number,
  {
    timeout,
    connection,
  }: { readonly timeout?: number | undefined; readonly connection?: TransactionConnection | undefined } = {},
): HostLookup => {
  const calls = new Map<string, Promise<LookupResult>>();
  const missing = createShortMemory(now);
  const inSlot = createSlots(connection === undefined ? Number.POSITIVE_INFINITY : 1);

  const ask = (type: DirectoryType, id: string) => {
    const passed = connection as ResolveConnection | undefined;
    return typeof resolve === 'function' ? resolve(type, id, passed) : resolve[type]?.(id, passed);
  };

  const call = async (type: DirectoryType, id: string): Promise<LookupResult> => {
    try {
      const answer = await waitAtMost('resolve', ask(type, id), timeout);
      if (answer == null) return E.right(null);
      if (answer.id !== id) return E.left(wrongIdError(type));
      return E.right(pickEntry(type, answer));
    } catch (cause) {
      return E.left(storeFailure('resolve-failed', cause));
    }
  };

  const callShared = (type: DirectoryType, id: string): Promise<LookupResult> => {
    const key = `${type}/${id}`;
    const result = calls.get(key) ?? inSlot(() => call(type, id)).finally(() => calls.delete(key));
    calls.set(key, result);
    return result;
  };

  return async (type, id, onlyPatientIds) => {
    const key = `${type}/${id} ${[...(onlyPatientIds ?? [])].join(' ')}`;
    if (missing.has(key)) return E.right(null);
    const result = await callShared(type, id);
    if (E.isLeft(result) || (result.right !== null && !isOfOtherPatient(result.right, onlyPatientIds)))
      return result;
    missing.add(key);
    return E.right(null);
  };
};
