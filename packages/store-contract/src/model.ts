import {
  type Change,
  type Commit,
  type IndexEntry,
  isExpected,
  matches,
  type Query,
  type RecordRef,
  type StoredRecord,
  type StoreError,
} from '@clinical-records/core';
import { versionOf } from './builders.ts';

/**
 * What a store is, in the plainest words: everything that was ever written, in its order.
 * All else is read off this list, slowly.
 */
export type Model = readonly { readonly record: StoredRecord; readonly index: readonly IndexEntry[] }[];

/** How the model answers a commit: as the port does. */
export type Outcome = { readonly versions: readonly number[] } | { readonly refused: StoreError };

const same = (a: RecordRef) => (b: RecordRef) => a.type === b.type && a.id === b.id;

export const historyOf = (model: Model, ref: RecordRef): readonly StoredRecord[] =>
  model
    .map(({ record }) => record)
    .filter(same(ref))
    .toReversed();

const actualOf = (model: Model, ref: RecordRef): number | null => historyOf(model, ref)[0]?.version ?? null;

const written = (model: Model, change: Change): Model => [
  ...model,
  { record: versionOf(change, (actualOf(model, change) ?? 0) + 1), index: change.index },
];

export const commitTo = (model: Model, { changes, premises }: Commit): readonly [Model, Outcome] => {
  for (const { type, id, expects } of [...changes, ...premises]) {
    const actual = actualOf(model, { type, id });
    if (!isExpected(expects, actual))
      return [model, { refused: { _tag: 'Conflict', ref: { type, id }, actual } }];
  }
  const after = changes.reduce(written, model);
  return [after, { versions: after.slice(model.length).map(({ record }) => record.version) }];
};

/** Every record as it stands, oldest record first. */
export const standingIn = (model: Model): Model =>
  model
    .filter(({ record }) => record.version === 1)
    .flatMap(({ record }) => model.findLast((latest) => same(record)(latest.record)) ?? [])
    .map(({ record, index }) => ({ record, index: record.resource === null ? [] : index }));

/** All that match, oldest record first. */
export const foundIn = (model: Model, query: Pick<Query, 'type' | 'conditions'>): readonly StoredRecord[] =>
  standingIn(model)
    .filter(({ record }) => record.resource !== null)
    .filter(({ record, index }) => matches(query)({ ...record, index }))
    .map(({ record }) => record);
