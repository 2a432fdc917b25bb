import { expect, test } from 'vitest';
import { type Bill, findBillIssues } from '../packages/bill.ts';

const manifest = {
  name: '@clinical-records/core',
  version: '1.2.0',
  dependencies: { zod: '^4.0.0' },
} as const;

const zod = {
  name: 'zod',
  version: '4.6.7',
  purl: 'pkg:npm/zod@4.6.7',
  licenses: [{ license: { id: 'MIT' } }],
  externalReferences: [{ hashes: [{ alg: 'SHA-512' }] }],
};

const bill: Bill = {
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  metadata: { component: { group: '@clinical-records', name: 'core', version: '1.2.0' } },
  components: [zod],
};

test('a bill lists each dependency with its version, licence and digest', () => {
  expect(findBillIssues(bill, manifest)).toEqual([]);
});

test.each<[string, Partial<Bill>]>([
  ['is CycloneDX 1.4', { specVersion: '1.4' }],
  ['describes zod 4.6.7', { metadata: { component: zod } }],
  ['does not list zod', { components: [] }],
  ['zod has no version', { components: [{ ...zod, purl: undefined }] }],
  ['zod has no licence', { components: [{ ...zod, licenses: [] }] }],
  ['zod has no digest', { components: [{ ...zod, externalReferences: [] }] }],
])('a bill that %s is wrong', (issue, wrong) => {
  expect(findBillIssues({ ...bill, ...wrong }, manifest)).toEqual([issue]);
});
