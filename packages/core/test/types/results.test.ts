import { expectTypeOf, test } from 'vitest';
import type { CareTeam, ClinicalRecords, DirectoryEntry, Goal, ResourceChange } from '../../src/index.ts';

declare const records: ClinicalRecords;

test('an awaited result has the type of its value', () => {
  const read = async () => await records.careTeams.read('7');
  expectTypeOf(read).returns.toEqualTypeOf<Promise<CareTeam>>();
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

test('for await yields the type of the value', () => {
  const look = async () => {
    for await (const team of [records.careTeams.read('7')]) expectTypeOf(team).toEqualTypeOf<CareTeam>();
    for await (const change of records.changes()) expectTypeOf(change).toEqualTypeOf<ResourceChange>();
  };
  expectTypeOf(look).returns.toEqualTypeOf<Promise<void>>();
});

test('then, catch and finally pass on the type of the value', () => {
  const nameOf = () => records.careTeams.read('7').then(({ name }) => name);
  expectTypeOf(nameOf).returns.toEqualTypeOf<Promise<string>>();
  const orNull = () => records.careTeams.read('7').catch(() => null);
  expectTypeOf(orNull).returns.toEqualTypeOf<Promise<CareTeam | null>>();
  const atLast = () => records.careTeams.read('7').finally(() => {});
  expectTypeOf(atLast).returns.toEqualTypeOf<Promise<CareTeam>>();
});
