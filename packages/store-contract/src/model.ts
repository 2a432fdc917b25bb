import {
  type Commit,
  type IndexEntry,
  isExpectedVersion,
  matches,
  type RecordChange,
  type RecordRef,
  type SearchQuery,
  type StoredRecord,
  type StoreError,
} from '@clinical-records/core/store';
import { versionOf } from './builders.ts';

/**
 * The simplest possible store: a list of everything that was ever written, in order. Every result is computed from this
 * list, slowly.
 */
export type Model = readonly { readonly record: StoredRecord; readonly index: readonly IndexEntry[] }[];

/** The outcome of a commit, as in the port. */
export type CommitOutcome = { readonly versions: readonly number[] } | { readonly error: StoreError };

const isSameRecord = (a: RecordRef) => (b: RecordRef) => a.type === b.type && a.id === b.id;

export const historyOf = (model: Model, ref: RecordRef): readonly StoredRecord[] =>
  model
    .map(({ record }) => record)
    .filter(isSameRecord(ref))
    .toReversed();

const currentVersionOf = (model: Model, ref: RecordRef): number | null =>
  historyOf(model, ref)[0]?.version ?? null;

const appendVersion = (model: Model, change: RecordChange): Model => [
  ...model,
  { record: versionOf(change, (currentVersionOf(model, change) ?? 0) + 1), index: change.index },
];

export const applyCommit = (
  model: Model,
  { changes, versionChecks }: Commit,
): readonly [Model, CommitOutcome] => {
  for (const { type, id, expects } of [...changes, ...versionChecks]) {
    const actual = currentVersionOf(model, { type, id });
    if (!isExpectedVersion(expects, actual))
      return [model, { error: { _tag: 'Conflict', ref: { type, id }, actual } }];
  }
  const after = changes.reduce(appendVersion, model);
  return [after, { versions: after.slice(model.length).map(({ record }) => record.version) }];
};

/** The current version of every record, oldest record first. */
export const currentRecords = (model: Model): Model =>
  model
    .filter(({ record }) => record.version === 1)
    .flatMap(({ record }) => model.findLast((latest) => isSameRecord(record)(latest.record)) ?? [])
    .map(({ record, index }) => ({ record, index: record.resource === null ? [] : index }));

/** All matches of a search, oldest record first. */
export const findMatches = (
  model: Model,
  query: Pick<SearchQuery, 'type' | 'conditions'>,
): readonly StoredRecord[] =>
  currentRecords(model)
    .filter(({ record }) => record.resource !== null)
    .filter(({ record, index }) => matches(query)({ ...record, index }))
    .map(({ record }) => record);
