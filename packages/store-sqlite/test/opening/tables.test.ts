import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { tableNames } from '../../src/schema.ts';

test('the document lists each table that the store creates beside those of the host', () => {
  const document = readFileSync(new URL('../../../../docs/operating.md', import.meta.url), 'utf8');
  const [, listed = ''] = /The tables\sare\s([^.]*)\./.exec(document) ?? [];
  const documented = [...listed.matchAll(/`(\w+)`/g)].map(([, name]) => name);
  expect(documented).toEqual(tableNames);
});
