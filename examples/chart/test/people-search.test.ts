import { expect, test } from 'vitest';
import { searchesFor } from '../src/model/search/people-search.ts';

test.each([
  ['', [{}]],
  [' ros alv ', [{ name: 'ros alv' }]],
  ['R-1001', [{ identifier: 'R-1001' }]],
  ['23.8.1961', [{ identifier: '23.8.1961' }, { birthdate: '1961-08-23' }]],
  ['1961', [{ identifier: '1961' }, { birthdate: '1961' }]],
  ['a,1|2', [{ identifier: 'a\\,1\\|2' }]],
])('“%s” is searched for by %j', (text, searches) => {
  expect(searchesFor(text, 'en-GB')).toEqual(searches);
});
