import * as E from 'fp-ts/lib/Either.js';
import { ClinicalRecordsError } from '../clinical-records-error.ts';
import { invalidRequest } from '../errors.ts';
import { orThrow } from '../outcome.ts';
import { isErasedVersion } from '../records/erased-record.ts';
import { deriveRecord } from '../records/record-change.ts';
import type { RecordDefinitions } from '../records/record-definition.ts';
import { exactVersion, noVersion } from '../store/expected-version.ts';
import type { IndexEntry } from '../store/index-entry.ts';
import type { ClinicalStore, FeedEntry, RecordChange } from '../store/port.ts';
import { copyIssue } from './issues.ts';

/** The index entries that derive from the state of a version. */
const indexOf = (
  definitions: RecordDefinitions,
  { type, state, resource }: FeedEntry,
): readonly IndexEntry[] => {
  const definition = Object.hasOwn(definitions, type) ? definitions[type] : undefined;
  if (resource === null) return [];
  const derived = E.tryCatch(
    () => definition && deriveRecord(definition, JSON.parse(state) as never),
    () => undefined,
  );
  if (E.isLeft(derived) || derived.right === undefined) {
    throw new ClinicalRecordsError(invalidRequest(copyIssue('damaged-records')));
  }
  return derived.right.index;
};

/** The states of the versions before an erasure, so that a copy that has the former ones erases them, too. */
const priorStatesOf = async (
  source: ClinicalStore,
  { version, ...ref }: FeedEntry,
): Promise<Pick<RecordChange, 'priorStates'>> => {
  const versions = await orThrow(source.history(ref));
  const before = versions.filter((one) => one.version < version).toReversed();
  return { priorStates: before.map(({ state }) => state) };
};

/**
 * The changes that write versions of a source again. Only a current version has index entries: a search never finds
 * another one, and an old state may be one that no definition reads any more.
 */
export const createChangesOf =
  (source: ClinicalStore, definitions: RecordDefinitions) =>
  (entries: readonly FeedEntry[]): Promise<readonly RecordChange[]> =>
    Promise.all(
      entries.map(async (entry) => {
        const { version, position: _position, digest: _digest, ...content } = entry;
        const current = await orThrow(source.read(entry));
        const isCurrent = current?.version === version;
        return {
          ...content,
          index: isCurrent ? indexOf(definitions, entry) : [],
          expects: version === 1 ? noVersion : exactVersion(version - 1),
          ...(isCurrent && isErasedVersion(entry) && version > 1 && (await priorStatesOf(source, entry))),
        };
      }),
    );
