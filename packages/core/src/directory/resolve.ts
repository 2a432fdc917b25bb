import * as E from 'fp-ts/lib/Either.js';
import { type ClinicalError, type Result, storeFailure } from '../errors.ts';
import { type DirectoryInput, type DirectoryType, entryIn } from './model.ts';

type Answer = DirectoryInput[DirectoryType] | null | undefined;

/**
 * Asks the host for a record that was mentioned and is not in the directory yet; null or undefined where it has none. The
 * answer may have more properties than an entry: a row of the host's own table, say.
 */
export type Resolve = (type: DirectoryType, id: string) => Promise<Answer> | Answer;

/**
 * Asks the host for an entry, and answers what of it is one; null where there is none. Where a chart is given, what belongs to
 * another patient is none.
 */
export type AskHost = (type: DirectoryType, id: string, chart: string | null) => Result<object | null>;

type Asked = E.Either<ClinicalError, object | null>;

/** How long it is remembered that the host has none, in milliseconds, and of how many at once. */
const memory = { milliseconds: 1_000, most: 1_000 } as const;

/** Says what is wrong with an answer, and nothing of what is in it. */
const otherId = (type: DirectoryType) =>
  new Error(
    `resolve answered a ${type} whose id is not the text that was asked for. An id that is a number, such as that of an INTEGER PRIMARY KEY, is answered as String(id).`,
  );

const isOfAnother = (entry: object, chart: string | null): boolean => {
  const patientId: unknown = 'patientId' in entry ? entry.patientId : undefined;
  return chart !== null && typeof patientId === 'string' && patientId !== chart;
};

/** Remembers for a moment, by the host's clock. The oldest is forgotten where there are too many. */
const shortMemory = (now: () => number) => {
  const times = new Map<string, number>();
  return {
    has: (key: string): boolean => {
      const age = now() - (times.get(key) ?? Number.NEGATIVE_INFINITY);
      return age >= 0 && age < memory.milliseconds;
    },
    add: (key: string): void => {
      const [oldest] = times.keys();
      if (oldest !== undefined && times.size >= memory.most) times.delete(oldest);
      times.delete(key);
      times.set(key, now());
    },
  };
};

/**
 * Asks the host with care: all who want an entry at the same moment wait for one call, and that there is none is remembered
 * for a second. What the host throws is its own fault.
 */
export const askingHost = (resolve: Resolve, now: () => number): AskHost => {
  const calls = new Map<string, Promise<Asked>>();
  const nones = shortMemory(now);

  const call = async (type: DirectoryType, id: string): Promise<Asked> => {
    try {
      const answer = await resolve(type, id);
      if (answer == null) return E.right(null);
      if (answer.id !== id) throw otherId(type);
      return E.right(entryIn(type, answer));
    } catch (cause) {
      return E.left(storeFailure('resolve-failed', cause));
    }
  };

  const shared = (type: DirectoryType, id: string): Promise<Asked> => {
    const key = `${type}/${id}`;
    const asked = calls.get(key) ?? call(type, id).finally(() => calls.delete(key));
    calls.set(key, asked);
    return asked;
  };

  return (type, id, chart) => async () => {
    const key = `${type}/${id} ${chart ?? ''}`;
    if (nones.has(key)) return E.right(null);
    const asked = await shared(type, id);
    if (E.isLeft(asked) || (asked.right !== null && !isOfAnother(asked.right, chart))) return asked;
    nones.add(key);
    return E.right(null);
  };
};
