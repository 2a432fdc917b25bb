import { expect, test } from 'vitest';
import { renderBundle } from '../../src/fhir/bundle.ts';

const link = [{ relation: 'self' as const, url: 'Goal?_count=10&_offset=0' }];

test('a search bundle has type, total, link and entry', () => {
  const resources = ['{"resourceType":"Goal","id":"g1"}', '{"resourceType":"Goal","id":"g2"}'];
  expect(JSON.parse(renderBundle({ total: 12, link }, resources))).toEqual({
    resourceType: 'Bundle',
    type: 'searchset',
    total: 12,
    link,
    entry: [
      { resource: { resourceType: 'Goal', id: 'g1' } },
      { resource: { resourceType: 'Goal', id: 'g2' } },
    ],
  });
});

test('an empty page has no entry, because FHIR does not allow an empty array', () => {
  expect(JSON.parse(renderBundle({ total: 12, link }, []))).toEqual({
    resourceType: 'Bundle',
    type: 'searchset',
    total: 12,
    link,
  });
});
