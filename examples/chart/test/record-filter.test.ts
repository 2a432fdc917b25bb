import { expect, test } from 'vitest';
import { countByState, filterRecords } from '../src/model/search/record-filter.ts';

const records = [
  { name: 'Zürich tick vaccine, 2019', state: 'given' },
  { name: 'Influenza, 2025', state: 'given' },
  { name: 'Influenza, 2026', state: 'refused' },
];

const find = (state: string, text: string) =>
  filterRecords(records, { state, text }, { stateOf: (one) => one.state, textOf: (one) => one.name }).map(
    ({ name }) => name,
  );

test.each([
  ['', '', 3],
  ['', 'influenza', 2],
  ['', '2026 flu', 1],
  ['', 'ZURICH', 1],
  ['refused', '', 1],
  ['refused', '2025', 0],
  ['unknown', '', 0],
])('in the state “%s” with the text “%s”, %d records are left', (state, text, count) => {
  expect(find(state, text)).toHaveLength(count);
});

test('the records of each state are counted', () => {
  expect(countByState(records, ({ state }) => state)).toEqual({ given: 2, refused: 1 });
});
