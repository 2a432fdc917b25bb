import { expectTypeOf, test } from 'vitest';
import type { ClinicalError, Issue, StoreError } from '../../src/index.ts';

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

test('a StoreError is a conflict, a search that needs too much, an unknown position, an outage, a misuse or an unknown outcome', () => {
  expectTypeOf<StoreError['_tag']>().toEqualTypeOf<
    | 'Conflict'
    | 'TooCostly'
    | 'OutdatedIndex'
    | 'Busy'
    | 'UnknownPosition'
    | 'Locked'
    | 'NotWritable'
    | 'Unavailable'
    | 'Misuse'
    | 'OutcomeUnknown'
  >();
  expectTypeOf<Extract<StoreError, { _tag: 'Conflict' }>['actual']>().toEqualTypeOf<number | null>();
});
