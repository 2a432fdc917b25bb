import { expect, test } from 'vitest';
import { createProvisionalWriteStatement } from '../../src/host/provisional-versions.ts';
import { migrationSql, openPostgresStore } from '../../src/index.ts';
import { createQueryBuilder, tenantOf } from '../../src/statement.ts';
import { tenantTables } from '../../src/tables/migrations.ts';
import { createWriteStatement } from '../../src/write/write-statement.ts';
import { refusalsOf } from './citus-forms.ts';
import { newPool } from './databases.ts';

const head = '"clinical_records"."head"';
const records = '"clinical_records"."records"';

test.each([
  [`select from ${records} as records where records.tenant = $1::integer`, []],
  [`select from (select * from ${records} where tenant = (select $1::integer)::integer) as records`, []],
  [`select from ${records} as records where records.id = $1`, ['records is not limited to a tenant']],
  [
    `with named as (select $1::integer as tenant) select from named join ${records} as records on records.tenant = named.tenant`,
    ['records is not limited to a tenant'],
  ],
  [
    `update ${head} set position = case when current_setting('a') = 'b' then 1 end where tenant = $1::integer`,
    ['current_setting in CASE or COALESCE'],
  ],
  [
    `update ${head} set position = (select 1 where current_setting('a') = 'b') where tenant = $1::integer`,
    [],
  ],
  [
    `update ${head} set position = 1 where tenant = $1::integer returning set_config('a', 'b', true)`,
    ['set_config in a part that writes'],
  ],
  [
    `with new as (update ${head} set position = 1 where tenant = $1::integer), old as (select from ${head} as head where head.tenant = $1::integer) select`,
    ['head is read after it is written'],
  ],
  [
    `with old as (select from ${head} as head where head.tenant = $1::integer), new as (update ${head} set position = 1 where tenant = $1::integer) select`,
    [],
  ],
])('%s', (statement, refusals) => {
  expect(refusalsOf(statement)).toEqual(refusals);
});

test.each([{ hasNext: false }, { hasNext: true }])(
  'each row of distributed tables is inserted on the server of its tenant: %j',
  ({ hasNext }) => {
    const tenant = { ...tenantOf('a'), number: 7, isDistributed: true };
    const builder = createQueryBuilder('clinical_records', { tenant });
    const head = { position: 0, digest: '', fence: 0 };
    const group = { versions: [], checks: [], created: [], updated: [], head, end: head };
    for (const { text } of [
      createWriteStatement(builder, { hasNext, autocommits: false }).bind(group),
      createProvisionalWriteStatement(builder, { hasNext }).bind(group),
    ]) {
      const inserts = text.match(/insert into "clinical_records"/g);
      const joins = text.match(/join "clinical_records"\."head" as head on head.tenant = \$\d+::integer/g);
      expect(inserts).toHaveLength(6);
      expect(joins).toHaveLength(6);
    }
  },
);

test('distributed tables have no triggers, and no function that Citus does not plan each time', () => {
  expect(migrationSql()).toMatch(/create constraint trigger[\s\S]*language sql/);
  expect(migrationSql({ distributed: true })).not.toMatch(/create constraint trigger|language sql/);
});

test('all rows of a tenant are together, and the names of tenants on each server', () => {
  const statements = migrationSql({ distributed: true }).matchAll(
    /select create_(\w+)_table\('"clinical_records"\.(\w+)'.*\);/g,
  );
  const [names, ...others] = [...statements].map(([statement, kind, table]) => [
    kind,
    table,
    statement.split('=> ')[1],
  ]);
  expect(names).toEqual(['reference', 'tenants', undefined]);
  expect(others).toEqual(
    tenantTables.map((table) => [
      'distributed',
      table,
      table === 'head' ? "'none');" : `'"clinical_records".head');`,
    ]),
  );
});

test('distributed tables have neither partitions nor row level security', () => {
  expect(() => migrationSql({ distributed: true, partitions: 4 })).toThrow(
    'Choose `partitions` or `distributed`',
  );
  expect(() => migrationSql({ distributed: true, rowSecurity: true })).toThrow(
    'Choose `distributed` or `rowSecurity`',
  );
});

test('tables that exist cannot become distributed, and a database without Citus has none', async () => {
  const pool = await newPool();
  const distributed = openPostgresStore({ pool, distributed: true });
  await expect(distributed.migrate()).rejects.toThrow(
    '`distributed` needs the extension citus, which this database does not have.',
  );
  await openPostgresStore({ pool }).migrate();
  await expect(distributed.migrate()).rejects.toThrow('The tables are not distributed.');
  await openPostgresStore({ pool, distributed: false }).migrate();
});
