import { expectTypeOf, test } from 'vitest';
import type { ClinicalRecords } from '../../src/index.ts';

type Resources = Parameters<ClinicalRecords['importer']['load']>[0];
type Patient = { readonly resourceType: 'Patient'; readonly id: string };

test('an import takes resources and their texts from whatever can be iterated, or a text alone', () => {
  expectTypeOf<readonly Patient[]>().toExtend<Resources>();
  expectTypeOf<AsyncIterable<string | Patient>>().toExtend<Resources>();
  expectTypeOf<readonly Record<string, unknown>[]>().toExtend<Resources>();
  expectTypeOf<readonly object[]>().toExtend<Resources>();
  expectTypeOf<string>().toExtend<Resources>();
});

test('an import takes no bytes, neither as a whole nor in pieces, and no resource outside of a list', () => {
  expectTypeOf<Uint8Array>().not.toExtend<Resources>();
  expectTypeOf<AsyncIterable<Uint8Array>>().not.toExtend<Resources>();
  expectTypeOf<readonly number[]>().not.toExtend<Resources>();
  expectTypeOf<Patient>().not.toExtend<Resources>();
});
