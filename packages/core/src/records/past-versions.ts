import type { Environment } from '../environment.ts';
import { notFound } from '../errors.ts';
import { ClinicalRecordsError, orThrow } from '../outcome.ts';
import type {
  ClinicalStore,
  HistoryRange,
  RecordRef,
  StoredRecord,
  StoredVersion,
  VersionRef,
} from '../store/port.ts';
import { pause } from '../store/turns.ts';
import { type AskedReach, openVersions } from './reach.ts';

/** The most versions that are read in a turn. */
const pageSize = 500;

/** Where a walk through a history begins, and how many versions it reads at first. Later pages are larger. */
export type WalkStart = Pick<HistoryRange, 'before'> & { readonly first?: number };

/**
 * Yields the versions of a record, newest first, in pages, with other work between them. A version is not changed, except by an
 * erasure, so the pages fit together. Throws a `ClinicalRecordsError`.
 */
export async function* walkHistory(
  store: ClinicalStore,
  ref: RecordRef,
  { before, first = pageSize }: WalkStart = {},
): AsyncGenerator<readonly StoredVersion[], void> {
  const { type, id } = ref;
  let [below, limit] = [before, Math.min(first, pageSize)];
  for (;;) {
    const page = await orThrow(store.history({ type, id, before: below, limit }));
    yield page;
    if (page.length < limit) return;
    below = page.at(-1)?.version;
    limit = Math.min(limit * 8, pageSize);
    await pause();
  }
}

/** How many versions are read at the same moment, with all of their texts. */
const versionsAtOnce = 10;

/** Makes something of each version of a record up to one, oldest first. Only a few texts are in memory at a time. */
export const mapVersions = async <A>(
  store: ClinicalStore,
  { type, id, version: last }: VersionRef,
  toResult: (version: StoredRecord) => A,
): Promise<readonly A[]> => {
  const results: A[] = [];
  for (let before = 0; before < last; before += versionsAtOnce) {
    if (before > 0) await pause();
    const length = Math.min(versionsAtOnce, last - before);
    const group = await Promise.all(
      Array.from({ length }, (_, index) =>
        orThrow(store.readVersion({ type, id, version: before + index + 1 })),
      ),
    );
    for (const version of group) if (version !== null) results.push(toResult(version));
  }
  return results;
};

/** Whether a caller may see a version: the chart to which it belongs, and what it says. */
export type VersionGate = (version: Pick<StoredVersion, 'version' | 'patientId'>) => Promise<boolean>;

/** The reaches of a caller. A version must be within all of them. */
export type VersionReaches = readonly [AskedReach, ...AskedReach[]];

/**
 * Creates a gate for the versions of a record within all of some reaches. Each chart is asked about once. The text of a version
 * is only read if one of the reaches depends on it.
 */
export const createVersionGate = (
  { store, readText }: Pick<Environment, 'store'> & Pick<VersionReader, 'readText'>,
  record: RecordRef,
  reaches: VersionReaches,
): VersionGate => {
  const limitsResources = reaches.some(({ reach }) => reach.limitsResources);
  const answers = new Map<string | null, Promise<boolean>>();
  const isChartOpen = (patientId: string | null): Promise<boolean> => {
    const answer = answers.get(patientId) ?? orThrow(openVersions(store, { record, patientId }, reaches));
    answers.set(patientId, answer);
    return answer;
  };
  return async ({ version, patientId }) => {
    if (!(await isChartOpen(patientId))) return false;
    if (!limitsResources) return true;
    const { id } = record;
    const resource = await readText(id, version);
    return reaches.every(({ reach }) => reach.covers({ id, patientId, resource }));
  };
};

/** A version of a resource, without its text. The `bytes` are null if there was nothing to read at that version. */
export type PastVersion = StoredVersion & Pick<RecordRef, 'id'>;

/** Reads the versions of one type of resource. */
export type VersionReader = {
  /**
   * Yields the versions that a caller may see, newest first, in pages. They are not found if the resource is out of reach now. If it
   * was in another chart before, the versions of that time are left out. There are none if the resource can be read and was never
   * stored. Throws a `ClinicalRecordsError`.
   */
  readonly pages: (
    id: string,
    reaches: VersionReaches,
    start?: WalkStart,
  ) => AsyncGenerator<readonly PastVersion[], void>;
  /** Reads one of these versions; null if it is not one of them. Rejects with a `ClinicalRecordsError`. */
  readonly read: (id: string, reaches: VersionReaches, version: number) => Promise<StoredRecord | null>;
  /**
   * Reads the text of a version; null if there is nothing to read. It asks nobody: only a version that `pages` yields may be shown.
   * Rejects with a `ClinicalRecordsError`.
   */
  readonly readText: (id: string, version: number) => Promise<string | null>;
};

/** How the versions of a record are read for a caller. */
export type CallerReach = {
  readonly gate: VersionGate;
  readonly notFoundError: ReturnType<typeof notFound>;
  /** Is called if there is no record. It throws, unless there need not be one, and may store it. */
  readonly ifMissing: (() => Promise<unknown>) | null;
};

/** Yields the versions of a record that a gate lets through, if it lets the newest through. */
export async function* walkVisible(
  store: ClinicalStore,
  ref: RecordRef,
  reach: CallerReach,
  start: WalkStart = {},
): AsyncGenerator<readonly PastVersion[], void> {
  const { gate, notFoundError, ifMissing } = reach;
  const newest = start.before === undefined ? null : store.history({ ...ref, limit: 1 });
  let isFound = false;
  for await (const page of walkHistory(store, ref, start)) {
    if (!isFound) {
      const [current] = newest === null ? page : await orThrow(newest);
      if (current === undefined) {
        if (ifMissing === null) return;
        await ifMissing();
        yield* walkVisible(store, ref, { ...reach, ifMissing: null }, start);
        return;
      }
      if (!(await gate(current))) throw new ClinicalRecordsError(notFoundError);
      isFound = true;
    }
    const visible: PastVersion[] = [];
    for (const version of page) if (await gate(version)) visible.push({ ...version, id: ref.id });
    yield visible;
  }
}

/** Reads a version of a record, if a gate lets it and the newest through. */
export const readVisible = async (
  store: ClinicalStore,
  { version, ...ref }: VersionRef,
  reach: CallerReach,
): Promise<StoredRecord | null> => {
  const { gate, notFoundError, ifMissing } = reach;
  const [[newest], stored] = await Promise.all([
    orThrow(store.history({ ...ref, limit: 1 })),
    orThrow(store.readVersion({ ...ref, version })),
  ]);
  if (newest === undefined) {
    if (ifMissing === null) return null;
    await ifMissing();
    return readVisible(store, { ...ref, version }, { ...reach, ifMissing: null });
  }
  if (!(await gate(newest))) throw new ClinicalRecordsError(notFoundError);
  return stored !== null && (await gate(stored)) ? stored : null;
};

export const createVersionReader = (
  { store }: Pick<Environment, 'store'>,
  { type }: { readonly type: string },
): VersionReader => {
  const readText: VersionReader['readText'] = async (id, version) =>
    (await orThrow(store.readVersion({ type, id, version })))?.resource ?? null;
  const reachOf = (id: string, reaches: VersionReaches): CallerReach => {
    const notFoundError = notFound(type, id);
    const ifMissing = async () => {
      throw new ClinicalRecordsError(notFoundError);
    };
    return { gate: createVersionGate({ store, readText }, { type, id }, reaches), notFoundError, ifMissing };
  };
  return {
    pages: async function* (id, reaches, start) {
      yield* walkVisible(store, { type, id }, reachOf(id, reaches), start);
    },
    read: async (id, reaches, version) => readVisible(store, { type, id, version }, reachOf(id, reaches)),
    readText,
  };
};
