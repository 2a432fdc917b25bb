import {
  anyVersion,
  type Commit,
  datePrefixes,
  exactVersion,
  type IndexEntry,
  noVersion,
  type PositiveCondition,
  type RecordChange,
  type SearchCondition,
} from '@clinical-records/core/store';
import fc from 'fast-check';
import { change } from './builders.ts';

// Few distinct values, so that commits often write the same records and conditions often match the same entries.
const type = fc.constantFrom('Immunization', 'Goal');
const id = fc.constantFrom('a', 'b', 'c', 'd');
const patient = fc.constantFrom('p', 'q');
const system = fc.constantFrom('', 's', 't');
const code = fc.constantFrom('1', '2');
const letters = fc.constantFrom('a', 'b', 'ab', 'abc');
const parameter = fc.constantFrom('x', 'y');
const interval = fc
  .tuple(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 1, max: 3 }))
  .map(([from, length]) => ({ from, until: from + length }));

const expects = fc.oneof(
  { weight: 5, arbitrary: fc.constant(anyVersion) },
  { weight: 2, arbitrary: fc.constant(noVersion) },
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 4 }).map(exactVersion) },
);

const ref = fc.record({ type, id });

const entry: fc.Arbitrary<IndexEntry> = fc.oneof(
  fc.record({ kind: fc.constant('token' as const), parameter, system, code }),
  fc.record({ kind: fc.constant('reference' as const), parameter, type: system, id: code }),
  fc.record({ kind: fc.constant('string' as const), parameter, word: letters }),
  fc
    .tuple(parameter, interval)
    .map(([named, lies]) => ({ kind: 'date' as const, parameter: named, ...lies })),
);

const oneChange: fc.Arbitrary<RecordChange> = fc
  .record({
    ref,
    patientId: fc.oneof(patient, fc.constant(null)),
    at: fc.integer({ min: 0, max: 1_000_000 }),
    by: fc.oneof(fc.constant('Practitioner/1'), fc.constant(null)),
    state: fc.json({ maxDepth: 1 }),
    resource: fc.oneof(
      { weight: 4, arbitrary: fc.constant('{"r":1}') },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
    index: fc.array(entry, { maxLength: 4 }),
    expects,
  })
  .map(({ ref: named, ...rest }) => change({ ...named, ...rest }));

const commit: fc.Arbitrary<Commit> = fc.record({
  changes: fc.uniqueArray(oneChange, { maxLength: 3, selector: ({ type, id }) => `${type}/${id}` }),
  versionChecks: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    {
      weight: 1,
      arbitrary: fc.array(
        fc.tuple(ref, expects).map(([on, is]) => ({ ...on, expects: is })),
        { maxLength: 2 },
      ),
    },
  ),
});

const prefix = fc.constantFrom(...datePrefixes);

// Mostly several criteria, because a single one would hardly find anything.
const someOf = <A>(criterion: fc.Arbitrary<A>) =>
  fc.oneof(
    { weight: 6, arbitrary: fc.array(criterion, { minLength: 1, maxLength: 3, size: 'max' }) },
    { weight: 1, arbitrary: fc.constant([]) },
  );

const positive: fc.Arbitrary<PositiveCondition> = fc.oneof(
  fc.record({ on: fc.constant('id' as const), anyOf: someOf(id) }),
  fc.record({ on: fc.constant('patient' as const), anyOf: someOf(patient) }),
  fc.record({
    on: fc.constant('token' as const),
    parameter,
    anyOf: someOf(fc.record({ system: fc.option(system), code: fc.option(code) })),
  }),
  fc.record({
    on: fc.constant('reference' as const),
    parameter,
    anyOf: someOf(fc.record({ type: system, id: code })),
  }),
  fc.record({ on: fc.constant('string' as const), parameter, anyOf: someOf(letters) }),
  fc.record({
    on: fc.constant('date' as const),
    parameter,
    anyOf: someOf(fc.tuple(prefix, interval).map(([how, to]) => ({ prefix: how, ...to }))),
  }),
  fc.record({
    on: fc.constant('at' as const),
    anyOf: someOf(
      fc
        .tuple(prefix, fc.integer({ min: 0, max: 1_000_000 }), fc.integer({ min: 1, max: 500_000 }))
        .map(([how, from, length]) => ({ prefix: how, from, until: from + length })),
    ),
  }),
  fc.record({
    on: fc.constant('entry' as const),
    kind: fc.constantFrom('token', 'reference', 'string', 'date'),
    parameter,
  }),
);

const condition: fc.Arbitrary<SearchCondition> = fc.oneof(
  { weight: 3, arbitrary: positive },
  { weight: 1, arbitrary: fc.record({ on: fc.constant('not' as const), condition: positive }) },
);

const smallCount = fc.integer({ min: 0, max: 4 });

/**
 * One step of a generated test: commits that run at the same time, or a question. A `place` counts what the store has.
 */
export type Step =
  | { readonly step: 'commits'; readonly commits: readonly Commit[] }
  | { readonly step: 'record'; readonly ref: { readonly type: string; readonly id: string } }
  | {
      readonly step: 'search';
      readonly type: string;
      readonly conditions: readonly SearchCondition[];
      readonly by: 'offset' | 'after';
      readonly place: number;
      readonly count: number;
    }
  | { readonly step: 'feed' | 'scan'; readonly place: number; readonly limit: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('commits' as const),
      commits: fc.array(commit, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ step: fc.constant('record' as const), ref }) },
  {
    weight: 4,
    arbitrary: fc.record({
      step: fc.constant('search' as const),
      type,
      conditions: fc.array(condition, { maxLength: 3, size: 'max' }),
      by: fc.constantFrom('offset', 'after'),
      place: smallCount,
      count: smallCount,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ step: fc.constantFrom('feed', 'scan'), place: smallCount, limit: smallCount }),
  },
);

/** A generated sequence of steps. */
export const steps: fc.Arbitrary<readonly Step[]> = fc.array(step, {
  minLength: 1,
  maxLength: 24,
  size: 'max',
});
