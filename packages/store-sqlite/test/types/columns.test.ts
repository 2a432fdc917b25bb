import { expect, test } from 'vitest';
import { column, createQueryBuilder } from '../../src/schema.ts';

test('a column that no table has does not compile, in the builder and in the SQL of a search', () => {
  const db = createQueryBuilder('');
  expect([
    column('records.position'),
    // @ts-expect-error
    column('records.postion'),
    // @ts-expect-error
    column('entries.position'),
    db.selectFrom('entries').select('record'),
    // @ts-expect-error
    db.selectFrom('entries').select('position'),
  ]).toHaveLength(5);
});
