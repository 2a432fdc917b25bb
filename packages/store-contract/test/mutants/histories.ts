import { hash } from 'node:crypto';
import {
  type ClinicalStore,
  computeDigest,
  countedPosition,
  type FeedEnd,
  type FeedEntry,
  type FeedRange,
  type HistoryRange,
  type Position,
  type StoredVersion,
  type VersionRef,
} from '@clinical-records/core/store';
import { isLeft, isRight, right } from 'fp-ts/lib/Either.js';
import { before, everything, keyOf, mapResult, mutant, nextTurn, observeCommits } from './mutant.ts';

/** A history that is made of the true one, which has at most a hundred versions. */
const changeHistory =
  (different: (versions: readonly StoredVersion[], range: HistoryRange) => readonly StoredVersion[]) =>
  (store: ClinicalStore): Partial<ClinicalStore> => ({
    history: (range) =>
      mapResult(store.history({ type: range.type, id: range.id, limit: 100 }), (versions) =>
        different(versions, range)
          .filter(({ version }) => version < (range.before ?? Number.POSITIVE_INFINITY))
          .slice(0, range.limit),
      ),
  });

/** A feed that is made of the true one. */
const changeFeed =
  (different: (entries: readonly FeedEntry[]) => readonly FeedEntry[]) =>
  (store: ClinicalStore): Pick<ClinicalStore, 'changesSince'> => ({
    changesSince: ({ position, limit }) =>
      mapResult(store.changesSince(everything), (entries) => {
        const places = new Map<unknown, number>(entries.map((entry, at) => [entry.position, at]));
        const after = places.get(position) ?? -1;
        return different(entries)
          .filter((entry) => (places.get(entry.position) ?? entries.length) > after)
          .slice(0, limit);
      }),
  });

/** A feed that tries again, with another beginning, where it does not know the one that it is given. */
const beginning =
  (different: (range: FeedRange) => FeedRange) =>
  (store: ClinicalStore): Pick<ClinicalStore, 'changesSince'> => ({
    changesSince: async (range) => {
      const outcome = await store.changesSince(range);
      return isLeft(outcome) ? store.changesSince(different(range)) : outcome;
    },
  });

const latestOf = (entries: readonly FeedEntry[], { position: _, ...entry }: FeedEntry) =>
  entries.findLast((other) => keyOf(other) === keyOf(entry)) ?? entry;

const everyVersion =
  'the history shows every version, newest first, with its patient, author and time, and no text';
const parts = 'a part of a history has at most the limit, and begins below a version or with the current one';
const byNumber = 'each version of a record can be read by its number, the current one and all before';

export const historyMutants = [
  mutant(
    'a history with the oldest version first',
    everyVersion,
    changeHistory((versions) => versions.toReversed()),
  ),
  mutant(
    'a history in which the latest version overwrites the others',
    everyVersion,
    changeHistory((versions) =>
      versions.map(({ version }) => ({ ...(versions[0] as StoredVersion), version })),
    ),
  ),
  mutant(
    'a history of the last three versions',
    everyVersion,
    changeHistory((versions) => versions.slice(0, 3)),
  ),
  mutant('a history without the versions in the chart of another patient', parts, (store) =>
    changeHistory((versions) => versions.filter(({ patientId }) => patientId === versions[0]?.patientId))(
      store,
    ),
  ),
  mutant('a history with states', everyVersion, (store) => ({
    history: (range) =>
      mapResult(store.history(range), (versions) => versions.map((version) => ({ ...version, state: '{}' }))),
  })),
  mutant(
    'a history that is reversed by each read',
    'the history is the same each time it is read',
    (store) => {
      let turned = false;
      return changeHistory((versions) => {
        turned = !turned;
        return turned ? versions : versions.toReversed();
      })(store);
    },
  ),
  mutant(
    'a history of all records with that id',
    'the history has the versions of only one record',
    (store) => ({
      history: ({ id }) =>
        mapResult(store.changesSince(everything), (entries) =>
          entries
            .filter((entry) => entry.id === id)
            .map(({ patientId, version, at, by }) => ({ patientId, version, at, by, bytes: 1 }))
            .toReversed(),
        ),
    }),
  ),
  mutant('a history that begins with the version that it is to begin below', parts, (store) => ({
    history: ({ before, ...range }) =>
      store.history({ ...range, before: before === undefined ? before : before + 1 }),
  })),
  mutant('a history that always begins with the current version', parts, (store) => ({
    history: ({ before: _, ...range }) => store.history(range),
  })),
  mutant('a history without a limit', parts, (store) => ({
    history: (range) => store.history({ ...range, limit: 1000 }),
  })),
  mutant(
    'a history that counts characters instead of bytes',
    'a history says how many bytes a resource has, or up to twice as many, and null if there is none',
    (store) => ({
      history: (range) =>
        mapResult(store.history(range), (versions) =>
          versions.map((version) => ({ ...version, bytes: version.bytes && version.bytes - 5 })),
        ),
    }),
  ),
  mutant(
    'a history that has no bytes for an empty resource',
    'a history says how many bytes a resource has, or up to twice as many, and null if there is none',
    (store) => ({
      history: (range) =>
        mapResult(store.history(range), (versions) =>
          versions.map((version) => ({ ...version, bytes: version.bytes === 2 ? null : version.bytes })),
        ),
    }),
  ),
  mutant('a version that is always the current one', byNumber, (store) => ({
    readVersion: (ref) => store.read(ref),
  })),
  mutant('a version without the current one', byNumber, (store) => ({
    readVersion: async (ref) => {
      const current = await store.read(ref);
      return isRight(current) && current.right?.version === ref.version
        ? right(null)
        : store.readVersion(ref);
    },
  })),
  mutant(
    'a version that is the current one if there is no such version',
    'a version that a record does not have is read as null',
    (store) => ({
      readVersion: async (ref) => {
        const outcome = await store.readVersion(ref);
        return isRight(outcome) && outcome.right === null ? store.read(ref) : outcome;
      },
    }),
  ),
  mutant(
    'versions that are read together and answered in the order of their numbers',
    'versions that are read at the same moment are each the one that was asked for',
    (store) => {
      const asked: VersionRef[] = [];
      return {
        readVersion: async (ref) => {
          const place = asked.push(ref) - 1;
          await nextTurn();
          const group = asked.toSorted((a, b) => a.version - b.version);
          await nextTurn();
          asked.length = 0;
          return store.readVersion(group[place] ?? ref);
        },
      };
    },
  ),
];

export const feedMutants = [
  mutant(
    'a feed that leaves out versions without a resource',
    'the feed shows every version of every record in the order of their commits',
    changeFeed((entries) => entries.filter(({ resource }) => resource !== null)),
  ),
  mutant(
    'a feed in the order of the times of the changes',
    'the feed shows every version of every record in the order of their commits',
    changeFeed((entries) => entries.toSorted((a, b) => a.at - b.at)),
  ),
  mutant(
    'a feed of the current records',
    'an entry that was returned never changes, and no entry appears before it later',
    changeFeed((entries) =>
      entries.map((entry) => ({ ...latestOf(entries, entry), position: entry.position })),
    ),
  ),
  mutant(
    'a feed with only the latest version of each record',
    'an entry that was returned never changes, and no entry appears before it later',
    changeFeed((entries) => entries.filter((entry) => latestOf(entries, entry).version === entry.version)),
  ),
  mutant(
    'positions that the changes of a commit share',
    'each version has a position of its own, a text that never changes',
    (store) => {
      const commits: number[] = [];
      let count = 0;
      return {
        ...observeCommits(store, (changes) => {
          count += 1;
          commits.push(...changes.map(() => count));
        }),
        ...changeFeed((entries) =>
          entries.map((entry, at) => ({ ...entry, position: countedPosition(commits[at] ?? 0) })),
        )(store),
      };
    },
  ),
  mutant(
    'positions that are counted from the end',
    'each version has a position of its own, a text that never changes',
    changeFeed((entries) =>
      entries.map((entry, at) => ({ ...entry, position: countedPosition(entries.length - at) })),
    ),
  ),
  mutant(
    'positions that are numbers',
    'each version has a position of its own, a text that never changes',
    changeFeed((entries) =>
      entries.map((entry) => ({ ...entry, position: Number(entry.position) as unknown as Position })),
    ),
  ),
  mutant(
    'a feed that begins with its first version if it does not know the position',
    'a feed cannot begin at a position that none of its versions has',
    beginning(({ limit }) => ({ limit })),
  ),
  mutant(
    'a position that is read as a number',
    'a feed cannot begin at a position that none of its versions has',
    beginning(({ position, limit }) => ({ position: countedPosition(Number(position)), limit })),
  ),
  mutant(
    'an empty feed after a position that does not exist yet',
    'a feed cannot begin at a position that none of its versions has',
    (store) => ({
      changesSince: async (range) => {
        const outcome = await store.changesSince(range);
        const isToCome = isLeft(outcome) && Number(range.position) > 0;
        return isToCome ? right([]) : outcome;
      },
    }),
  ),
  mutant(
    'a digest that is ignored',
    'a feed cannot begin at a version that has another digest',
    beginning(({ digest: _, ...range }) => range),
  ),
  mutant(
    'a feed that begins with the entry at its position',
    'the feed continues after any position, and returns at most the limit',
    (store) => ({
      changesSince: ({ position, limit }) => store.changesSince({ position: before(position), limit }),
    }),
  ),
  mutant(
    'a feed that returns more than the limit',
    'the feed continues after any position, and returns at most the limit',
    (store) => ({ changesSince: ({ position }) => store.changesSince({ ...everything, position }) }),
  ),
  mutant(
    'a feed that ends before the versions of a running commit',
    'each of many simultaneous writers finds its record by every function once its commit returns',
    (store) => {
      // A feed below pg_snapshot_xmin is one.
      const underWay = new Set<number>();
      const begun = new Map<string, number>();
      return {
        commit: async (wanted) => {
          const turn = begun.size;
          for (const change of wanted.changes) begun.set(keyOf(change), turn);
          underWay.add(turn);
          if (turn % 2 === 0) await nextTurn();
          const outcome = await store.commit(wanted);
          underWay.delete(turn);
          return outcome;
        },
        ...changeFeed((entries) =>
          entries.filter((entry) => (begun.get(keyOf(entry)) ?? 0) < Math.min(...underWay, Infinity)),
        )(store),
      };
    },
  ),
  mutant(
    'an end of the feed with the digest of another version',
    'the end of the feed is the position and the digest of its last version',
    (store) => ({
      feedEnd: () =>
        mapResult(store.feedEnd(), (end) => end && { ...end, digest: hash('sha256', end.digest) }),
    }),
  ),
  mutant(
    'an end of the feed that is the first version',
    'the end of the feed is the position and the digest of its last version',
    (store) => ({
      feedEnd: () =>
        mapResult(store.changesSince({ limit: 1 }), ([first]) =>
          first === undefined ? null : { position: first.position, digest: first.digest },
        ),
    }),
  ),
  mutant('an empty feed with an end', 'the feed of an empty store is empty, and has no end', (store) => ({
    feedEnd: () => mapResult(store.feedEnd(), (end) => end ?? { position: countedPosition(0), digest: '' }),
  })),
  mutant(
    'an end of the feed that is kept for a while',
    'the end of the feed is that of a whole commit, and every later version comes after it',
    (store) => {
      let kept: FeedEnd | null = null;
      let reads = 0;
      return {
        feedEnd: () =>
          mapResult(store.feedEnd(), (end) => {
            reads += 1;
            if (reads % 3 === 1) kept = end;
            return kept;
          }),
      };
    },
  ),
  mutant(
    'a feed without a limit of bytes',
    'a page of the feed ends with the version that reaches its bytes, and has at least one',
    (store) => ({ changesSince: ({ position, limit }) => store.changesSince({ position, limit }) }),
  ),
  mutant(
    'a feed that leaves out the version that would be too long',
    'a page of the feed ends with the version that reaches its bytes, and has at least one',
    (store) => ({
      changesSince: (since) =>
        mapResult(store.changesSince(since), (entries) => {
          const length = entries.reduce(
            (sum, { state, resource }) => sum + state.length + (resource?.length ?? 0),
            0,
          );
          return since.bytes !== undefined && length > since.bytes ? entries.slice(0, -1) : entries;
        }),
    }),
  ),
  mutant(
    'digests that do not depend on the previous digest',
    'each version has the digest of itself and of the one before it in the feed',
    changeFeed((entries) =>
      entries.map((entry) => ({
        ...entry,
        digest: computeDigest((text) => hash('sha256', text), '', entry),
      })),
    ),
  ),
  mutant(
    'an entry for a commit that was refused',
    'a refused commit adds no entry to the feed and does not change its order',
    (store) => {
      const refused: FeedEntry[] = [];
      return {
        commit: async (wanted) => {
          const outcome = await store.commit(wanted);
          const [first] = wanted.changes;
          if (!isRight(outcome) && first !== undefined) {
            const { index: _, expects: __, ...record } = first;
            refused.push({
              ...record,
              version: 1,
              position: countedPosition(1000 + refused.length),
              digest: '',
            });
          }
          return outcome;
        },
        ...changeFeed((entries) => [...entries, ...refused])(store),
      };
    },
  ),
];
