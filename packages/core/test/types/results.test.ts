import { pipe } from 'fp-ts/lib/function.js';
import * as TE from 'fp-ts/lib/TaskEither.js';
import { expectTypeOf, test } from 'vitest';
import type {
  CareTeam,
  ClinicalError,
  ClinicalRecords,
  DirectoryEntry,
  Goal,
  ResourceChange,
  Result,
} from '../../src/index.ts';

declare const records: ClinicalRecords;
type Team = Result<CareTeam>;

test('an awaited result has the type of its value', () => {
  const read = async () => await records.careTeams.read('7');
  expectTypeOf(read).returns.toEqualTypeOf<Promise<CareTeam>>();
  expectTypeOf<Awaited<Team>>().toEqualTypeOf<CareTeam>();
});

test('an async function that returns a result promises its value', () => {
  const read = async () => records.careTeams.read('7');
  expectTypeOf(read).returns.toEqualTypeOf<Promise<CareTeam>>();
});

test('an entry of the directory has the requested type', () => {
  const read = async () => await records.directory.read('Note', '7');
  expectTypeOf(read).returns.toEqualTypeOf<Promise<DirectoryEntry['Note'] | null>>();
});

test('Promise.all of results has the types of all values', () => {
  const readBoth = () => Promise.all([records.careTeams.read('7'), records.goals.read('walk')]);
  expectTypeOf(readBoth).returns.toEqualTypeOf<Promise<[CareTeam, Goal]>>();
});

test('Promise.resolve makes a promise of a result', () => {
  const read = () => Promise.resolve(records.careTeams.read('7'));
  expectTypeOf(read).returns.toEqualTypeOf<Promise<CareTeam>>();
});

test('for await yields the type of the value', () => {
  const look = async () => {
    for await (const team of [records.careTeams.read('7')]) expectTypeOf(team).toEqualTypeOf<CareTeam>();
    for await (const change of records.changes()) expectTypeOf(change).toEqualTypeOf<ResourceChange>();
  };
  expectTypeOf(look).returns.toEqualTypeOf<Promise<void>>();
});

test('then passes on the type of the value', () => {
  const nameOf = () => records.careTeams.read('7').then(({ name }) => name);
  expectTypeOf(nameOf).returns.toEqualTypeOf<PromiseLike<string>>();
});

test('a result that is piped is a task', () => {
  const name = () =>
    pipe(
      records.careTeams.read('7'),
      TE.map((team) => team.name),
    );
  expectTypeOf(name).returns.toEqualTypeOf<TE.TaskEither<ClinicalError, string>>();
});

test('results can be sequenced, and be steps of a task', () => {
  const both = () =>
    pipe(
      records.careTeams.read('7'),
      TE.flatMap(({ id }) => TE.sequenceArray([records.goals.read(id), records.goals.read('walk')])),
    );
  expectTypeOf(both).returns.toEqualTypeOf<TE.TaskEither<ClinicalError, readonly Goal[]>>();
});

test('a result is a task and like a promise', () => {
  expectTypeOf<Team>().toExtend<TE.TaskEither<ClinicalError, CareTeam>>();
  expectTypeOf<Team>().toExtend<PromiseLike<CareTeam>>();
});
