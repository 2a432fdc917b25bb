import { expectTypeOf, test } from 'vitest';
import {
  type HostSearchRequest,
  type JsonText,
  type matchingIssues,
  notFound,
  type StoreError,
} from '../../src/adapter.ts';
import type { Eithers, TaskEithers } from '../../src/fp-ts.ts';
import {
  type ClinicalError,
  type ClinicalRecords,
  ClinicalRecordsError,
  type ImportIssue,
  type ImportReport,
  type Issue,
  type IssueRule,
} from '../../src/index.ts';
import type { checkCommit, Issue as IssueOfRules, placeInNote, setStatus, upsert } from '../../src/rules.ts';

test('the tag of a ClinicalError determines its other properties, and there are no other tags', () => {
  const look = (error: ClinicalError): readonly Issue[] => {
    switch (error._tag) {
      case 'NotFound':
        expectTypeOf(error.resourceType).toBeString();
        expectTypeOf(error.id).toBeString();
        return error.issues;
      case 'StoreFailure':
      case 'Misuse':
        expectTypeOf(error.cause).toEqualTypeOf<Error>();
        return error.issues;
      case 'NotSupported':
        expectTypeOf(error.dependsOnBody).toBeBoolean();
        return error.issues;
      case 'InvalidRequest':
      case 'Unauthenticated':
      case 'Forbidden':
      case 'PreconditionFailed':
      case 'RuleViolation':
      case 'TooCostly':
        expectTypeOf<keyof typeof error>().toEqualTypeOf<'_tag' | 'issues'>();
        return error.issues;
      default:
        return error satisfies never;
    }
  };
  expectTypeOf(look).parameter(0).toEqualTypeOf<ClinicalError>();
});

test('a StoreError is a conflict, a search that needs too much, an unknown position, an outage, a closed store, a misuse or an unknown outcome', () => {
  expectTypeOf<StoreError['_tag']>().toEqualTypeOf<
    | 'Conflict'
    | 'TooCostly'
    | 'OutdatedIndex'
    | 'Busy'
    | 'UnknownPosition'
    | 'Locked'
    | 'NotWritable'
    | 'Closed'
    | 'Unavailable'
    | 'Misuse'
    | 'OutcomeUnknown'
  >();
  expectTypeOf<Extract<StoreError, { _tag: 'Conflict' }>['actual']>().toEqualTypeOf<number | null>();
});

test('a program that compares the rule of an issue can only name a rule that there is', () => {
  expectTypeOf<'goal-closed'>().toExtend<IssueRule>();
  expectTypeOf<'other-chart'>().toExtend<IssueRule>();
  expectTypeOf<'gaol-closed'>().not.toExtend<IssueRule>();
});

/** A rule of the library, or one of the host. */
type AnyRule = IssueRule | (string & {});

test('each error names its rules', () => {
  const explain = (thrown: unknown) => {
    if (!(thrown instanceof ClinicalRecordsError)) throw thrown;
    expectTypeOf(thrown).toEqualTypeOf<ClinicalRecordsError>();
    expectTypeOf(thrown.tag).toEqualTypeOf<ClinicalError['_tag']>();
    expectTypeOf(thrown.error).toEqualTypeOf<ClinicalError>();
    return thrown.issues.map(({ rule }) => rule);
  };
  expectTypeOf(explain).returns.toEqualTypeOf<AnyRule[]>();
  expectTypeOf<Issue['rule']>().toEqualTypeOf<AnyRule>();
  expectTypeOf<IssueOfRules['rule']>().toEqualTypeOf<AnyRule>();
  expectTypeOf<ClinicalError['issues'][number]['rule']>().toEqualTypeOf<AnyRule>();
  expectTypeOf(new ClinicalRecordsError(notFound('Goal', '7')).issues).toEqualTypeOf<readonly Issue[]>();
});

test('each error that a function returns names its rules', () => {
  type Errors<Ended> = Ended extends { readonly _tag: 'Left'; readonly left: infer Errors } ? Errors : never;
  type Either = Awaited<ReturnType<Eithers<ClinicalRecords>['goals']['read']>>;
  expectTypeOf<Errors<Either>>().toEqualTypeOf<ClinicalError>();
  type Task = Awaited<ReturnType<ReturnType<TaskEithers<ClinicalRecords>['goals']['read']>>>;
  expectTypeOf<Errors<Task>>().toEqualTypeOf<ClinicalError>();
  expectTypeOf<Errors<ReturnType<typeof upsert>>>().toExtend<readonly Issue[]>();
  expectTypeOf<Errors<ReturnType<typeof setStatus>>>().toExtend<readonly Issue[]>();
  expectTypeOf<Errors<ReturnType<typeof placeInNote>>>().toExtend<readonly Issue[]>();
  expectTypeOf<ReturnType<typeof checkCommit>>().toExtend<readonly Issue[]>();
  expectTypeOf<ReturnType<typeof matchingIssues>>().toExtend<readonly Issue[]>();
  expectTypeOf<HostSearchRequest['ignored']>().toExtend<readonly Issue[]>();
  expectTypeOf<JsonText['issues']>().toExtend<readonly Issue[]>();
});

test('each issue of an import names its rule', () => {
  type Load = ClinicalRecords['importer']['load'];
  type OnIssue = NonNullable<NonNullable<Parameters<Load>[1]>['onIssue']>;
  expectTypeOf<Parameters<OnIssue>[0]>().toExtend<ImportIssue>();
  expectTypeOf<Awaited<ReturnType<Load>>>().toExtend<ImportReport>();
  expectTypeOf<ImportReport['warnings']>().toExtend<readonly ImportIssue[]>();
  expectTypeOf<ImportIssue['rule']>().toEqualTypeOf<AnyRule>();
});
