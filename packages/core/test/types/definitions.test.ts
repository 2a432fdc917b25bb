import { expectTypeOf, test } from 'vitest';
import type { ClinicalRecords, TransactionRecords } from '../../src/index.ts';
import type { AnyResource } from '../../src/resource-definition.ts';
import type { resources, Services } from '../../src/resources.ts';

type GoalDefinition = (typeof resources)['Goal'];

test('a type says what the library asks of each', () => {
  expectTypeOf<Omit<AnyResource, 'inError'>>().not.toExtend<AnyResource>();
  expectTypeOf<Omit<AnyResource, 'people'>>().not.toExtend<AnyResource>();
  expectTypeOf<Omit<AnyResource, 'otherVersions'>>().not.toExtend<AnyResource>();
  expectTypeOf<Omit<AnyResource, 'isOnePerPatient' | 'commandSchema'>>().toExtend<AnyResource>();
});

test('it names elements of its resource', () => {
  expectTypeOf<'lifecycleStatus'>().toExtend<GoalDefinition['inError']>();
  expectTypeOf<'status'>().not.toExtend<GoalDefinition['inError']>();
  expectTypeOf<readonly ['expressedBy', 'note']>().toExtend<GoalDefinition['people']>();
  expectTypeOf<readonly ['recorder']>().not.toExtend<GoalDefinition['people']>();
});

test('the records and a transaction have the service of each', () => {
  expectTypeOf<Pick<ClinicalRecords, keyof Services>>().toEqualTypeOf<Services>();
  expectTypeOf<Pick<TransactionRecords, keyof Services>>().toEqualTypeOf<Services>();
});
