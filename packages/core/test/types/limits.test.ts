import { expectTypeOf, test } from 'vitest';
import type { ChartLimit, ReadOptions, ServiceRequestSearch, WriteOptions } from '../../src/index.ts';

type MaybePatient = string | undefined;

test('a chart limit names its patient: a value that may be undefined is not accepted', () => {
  expectTypeOf<{ within: string }>().toExtend<ChartLimit>();
  expectTypeOf<{ within: readonly string[] }>().toExtend<ChartLimit>();
  expectTypeOf<{ within: MaybePatient[] }>().not.toExtend<ChartLimit>();
  expectTypeOf<{ within: MaybePatient }>().not.toExtend<ChartLimit>();
  expectTypeOf<{ within: MaybePatient }>().not.toExtend<ReadOptions>();
  expectTypeOf<{ within: MaybePatient }>().not.toExtend<WriteOptions>();
});

test('a search parameter has a value: one that may be undefined is not accepted', () => {
  expectTypeOf<{
    patient: string;
    _count: number;
    code: readonly string[];
  }>().toExtend<ServiceRequestSearch>();
  expectTypeOf<{ patient: MaybePatient }>().not.toExtend<ServiceRequestSearch>();
});
