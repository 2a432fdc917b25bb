import { expect, test } from 'vitest';
import { renderBundle, renderHistoryEntry, renderSearchEntry } from '../../src/fhir/bundle.ts';

const link = [{ relation: 'self' as const, url: 'Goal?_count=10&_offset=0' }];
const goal = '{"resourceType":"Goal","id":"g1"}';
const url = 'https://clinic.example/fhir/Goal/g1';
const head = { resourceType: 'Bundle', total: 12, link };

test('a search bundle has type, total, link and entry', () => {
  const entries = [
    renderSearchEntry(goal, undefined),
    renderSearchEntry(goal, url),
    renderSearchEntry(goal, undefined, 'include'),
  ];
  const resource = JSON.parse(goal);
  expect(JSON.parse(renderBundle({ type: 'searchset', total: 12, link }, entries))).toEqual({
    ...{ ...head, type: 'searchset' },
    entry: [
      { resource, search: { mode: 'match' } },
      { fullUrl: url, resource, search: { mode: 'match' } },
      { resource, search: { mode: 'include' } },
    ],
  });
});

test('a bundle of versions has for each what came about, as a request and a response', () => {
  const entry = {
    request: { method: 'PUT', url: 'Goal/g1' },
    response: { status: '200', etag: 'W/"2"', lastModified: '2026-03-01T08:00:00.000+00:00' },
  } as const;
  const entries = [
    renderHistoryEntry(goal, { url, entry }),
    renderHistoryEntry(goal, { url: undefined, entry }),
  ];
  const resource = JSON.parse(goal);
  expect(JSON.parse(renderBundle({ type: 'history', total: 12, link }, entries))).toEqual({
    ...{ ...head, type: 'history' },
    entry: [
      { fullUrl: url, resource, ...entry },
      { resource, ...entry },
    ],
  });
});

test('an empty page has no entry, because FHIR does not allow an empty array', () => {
  expect(JSON.parse(renderBundle({ type: 'searchset', total: 12, link }, []))).toEqual({
    ...head,
    type: 'searchset',
  });
});
