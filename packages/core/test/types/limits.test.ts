import { expectTypeOf, test } from 'vitest';
import type { ChartLimit, ReadOptions, ServiceRequestSearch, WriteOptions } from '../../src/index.ts';

type MaybePatient = string | undefined;

test('a limit to a chart names its patient: what may be undefined is none', () => {
  expectTypeOf<{ within: string }>().toExtend<ChartLimit>();
  expectTypeOf<{ within: MaybePatient }>().not.toExtend<ChartLimit>();
  expectTypeOf<{ within: MaybePatient }>().not.toExtend<ReadOptions>();
  expectTypeOf<{ within: MaybePatient }>().not.toExtend<WriteOptions>();
});

test('a search parameter has a value: what may be undefined is none', () => {
  expectTypeOf<{
    patient: string;
    _count: number;
    code: readonly string[];
  }>().toExtend<ServiceRequestSearch>();
  expectTypeOf<{ patient: MaybePatient }>().not.toExtend<ServiceRequestSearch>();
});
