import { expect, test } from 'vitest';
import { type IndexEntry, serializeIndexEntry } from '../../src/store/index-entry.ts';

test('entries with the same values have one text, whatever the order of their properties', () => {
  const entry: IndexEntry = { kind: 'token', parameter: 'code', system: 's', code: '1' };
  expect(serializeIndexEntry({ code: '1', system: 's', parameter: 'code', kind: 'token' })).toBe(
    serializeIndexEntry(entry),
  );
});

test('entries that differ in any value have different texts', () => {
  const entries: readonly IndexEntry[] = [
    { kind: 'token', parameter: 'code', system: 's', code: '1' },
    { kind: 'token', parameter: 'code', system: '1', code: 's' },
    { kind: 'token', parameter: 'code', system: '', code: 's,1' },
    { kind: 'token', parameter: 'status', system: 's', code: '1' },
    { kind: 'reference', parameter: 'code', type: 's', id: '1' },
    { kind: 'string', parameter: 'code', word: '1' },
    { kind: 'date', parameter: 'code', from: 1, until: 12 },
    { kind: 'date', parameter: 'code', from: 11, until: 12 },
  ];
  expect(new Set(entries.map(serializeIndexEntry)).size).toBe(entries.length);
});
