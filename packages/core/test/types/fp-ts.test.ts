import type { TaskEither } from 'fp-ts/lib/TaskEither.js';
import { expectTypeOf, test } from 'vitest';
import type { Outcome, toEithers, toTaskEithers } from '../../src/fp-ts.ts';
import type {
  CareTeam,
  ClinicalError,
  ClinicalRecords,
  DirectoryEntry,
  Goal,
  PatientResource,
  ResourceVersion,
} from '../../src/index.ts';

declare const tasks: ReturnType<typeof toTaskEithers>;
declare const eithers: ReturnType<typeof toEithers<ClinicalRecords>>;

test('a function returns a task, or an outcome, of what it resolves with', () => {
  const task = () => tasks.goals.read('walk');
  expectTypeOf(task).returns.toEqualTypeOf<TaskEither<ClinicalError, Goal>>();
  const version = () => tasks.goals.asJson.read('walk');
  expectTypeOf(version).returns.toEqualTypeOf<TaskEither<ClinicalError, ResourceVersion>>();
  const outcome = () => eithers.careTeams.read('7');
  expectTypeOf(outcome).returns.toEqualTypeOf<Outcome<CareTeam>>();
});

test('an iteration and a description stay as they are', () => {
  expectTypeOf<(typeof tasks)['goals']['all']>().toEqualTypeOf<ClinicalRecords['goals']['all']>();
  expectTypeOf<(typeof eithers)['changes']>().toEqualTypeOf<ClinicalRecords['changes']>();
  expectTypeOf<(typeof tasks)['describe']>().toEqualTypeOf<ClinicalRecords['describe']>();
});

test('an entry of the directory has the requested type', () => {
  const read = () => tasks.directory.read('Note', '7');
  expectTypeOf(read).returns.toEqualTypeOf<TaskEither<ClinicalError, DirectoryEntry['Note'] | null>>();
  const put = () => eithers.directory.put('Patient', { id: '7', lastName: 'Shaw' });
  expectTypeOf(put).returns.toEqualTypeOf<Outcome<DirectoryEntry['Patient']>>();
  const resource = () => eithers.directory.readResource('Patient', '7');
  expectTypeOf(resource).returns.toEqualTypeOf<Outcome<PatientResource>>();
});

test('what the records refuse, the other forms refuse, too', () => {
  const refused = () => [
    // @ts-expect-error a practitioner has no encounter
    tasks.directory.put('Practitioner', { id: '7', patientId: '7', encounterId: 'e' }),
    // @ts-expect-error a misspelt parameter
    tasks.goals.search({ 'lifecycle-statu': 'active' }),
    // @ts-expect-error records are changed in their turn
    tasks.in,
  ];
  expectTypeOf(refused).toBeFunction();
});

test('the functions of the forms are those of the records', () => {
  expectTypeOf<keyof typeof tasks>().toEqualTypeOf<
    Exclude<keyof ClinicalRecords, 'in' | 'transaction' | 'dryRun' | 'access'>
  >();
  expectTypeOf<keyof typeof eithers.careTeams>().toEqualTypeOf<keyof ClinicalRecords['careTeams']>();
  expectTypeOf<keyof typeof tasks.directory>().toEqualTypeOf<keyof ClinicalRecords['directory']>();
});
