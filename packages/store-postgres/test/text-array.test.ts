import { expect, test } from 'vitest';
import { encodeTextArray } from '../src/text.ts';
import { newPool } from './tenants/databases.ts';

const pool = await newPool();

test.each([
  [[]],
  [['']],
  [[null, 'a', null]],
  [['NULL', '{}', '{"a":"b\\\\"}', 'a,b', ' ']],
  [['Łódź', '😀', 'e\u0301', '\u0001', '\u{10ffff}']],
  [Array.from({ length: 1000 }, (_, at) => 'x'.repeat(at))],
])('PostgreSQL reads the texts that were encoded: %j', async (texts) => {
  const { rows } = await pool.query('select $1::text[] as texts', [encodeTextArray(texts)]);
  expect(rows).toEqual([{ texts }]);
});
