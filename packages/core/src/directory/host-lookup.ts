import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type ClinicalTask, storeFailure } from '../errors.ts';
import { type DirectoryInput, type DirectoryType, pickEntry } from './model.ts';

/** An entry, with null for what it does not have, as a row of a table has it. */
type Row<Entry> = {
  readonly [Name in keyof Entry]: undefined extends Entry[Name] ? Entry[Name] | null : Entry[Name];
};

/** The entry of a type, or null or undefined where the host has none. */
type ResolvedEntry<Type extends DirectoryType> = Row<DirectoryInput[Type]> | null | undefined;

/**
 * Asks the host for a record that was mentioned and is not in the directory yet: a function for each type that the host
 * has, or one function for all. It returns null or undefined where there is none. The entry may have more properties: a row of
 * the host's own table, for example.
 *
 * @example
 * const resolve: Resolver = { Patient: (id) => ({ id, lastName: 'Shaw', firstName: 'Amy' }) };
 */
export type Resolver =
  | {
      readonly [Type in DirectoryType]?: (id: string) => Promise<ResolvedEntry<Type>> | ResolvedEntry<Type>;
    }
  | ((
      type: DirectoryType,
      id: string,
    ) => Promise<ResolvedEntry<DirectoryType>> | ResolvedEntry<DirectoryType>);

/**
 * Asks the host for an entry, and answers what of it is one; null where there is none. Where a chart is given, what belongs to
 * another patient is none.
 */
export type HostLookup = (
  type: DirectoryType,
  id: string,
  onlyPatientId: string | null,
) => ClinicalTask<object | null>;

type LookupResult = E.Either<ClinicalError, object | null>;

/** How long it is remembered that the host has none, in milliseconds, and of how many at once. */
const memoryLimits = { maxAge: 1_000, maxEntries: 1_000 } as const;

/** Says what is wrong with an answer, and nothing of what is in it. */
const wrongIdError = (type: DirectoryType) =>
  new Error(
    `resolve() returned a ${type} with another id than the one requested. Convert an id that is a number, such as an INTEGER PRIMARY KEY, by String(id).`,
  );

const isOfOtherPatient = (entry: object, onlyPatientId: string | null): boolean => {
  const patientId: unknown = 'patientId' in entry ? entry.patientId : undefined;
  return onlyPatientId !== null && typeof patientId === 'string' && patientId !== onlyPatientId;
};

/** Remembers for a moment, by the host's clock. The oldest is forgotten where there are too many. */
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
 * Asks the host with care: all who want an entry at the same moment wait for one call, and that there is none is remembered
 * for a second. What the host throws is its own fault.
 */
export const createHostLookup = (resolve: Resolver, now: () => number): HostLookup => {
  const calls = new Map<string, Promise<LookupResult>>();
  const missing = createShortMemory(now);

  const call = async (type: DirectoryType, id: string): Promise<LookupResult> => {
    try {
      const answer = await (typeof resolve === 'function' ? resolve(type, id) : resolve[type]?.(id));
      if (answer == null) return E.right(null);
      if (answer.id !== id) throw wrongIdError(type);
      return E.right(pickEntry(type, answer));
    } catch (cause) {
      return E.left(storeFailure('resolve-failed', cause));
    }
  };

  const callShared = (type: DirectoryType, id: string): Promise<LookupResult> => {
    const key = `${type}/${id}`;
    const result = calls.get(key) ?? call(type, id).finally(() => calls.delete(key));
    calls.set(key, result);
    return result;
  };

  return (type, id, onlyPatientId) => async () => {
    const key = `${type}/${id} ${onlyPatientId ?? ''}`;
    if (missing.has(key)) return E.right(null);
    const result = await callShared(type, id);
    if (E.isLeft(result) || (result.right !== null && !isOfOtherPatient(result.right, onlyPatientId)))
      return result;
    missing.add(key);
    return E.right(null);
  };
};
