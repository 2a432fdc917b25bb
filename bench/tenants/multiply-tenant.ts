import type { Client } from 'pg';

/** The columns of each table that has rows of tenants, but `tenant`. */
const readColumns = async (client: Client, schema: string) => {
  const { rows } = await client.query<{ readonly table: string; readonly columns: string }>(
    `select table_name as table, string_agg(format('%I', column_name), ', ') as columns
      from information_schema.columns
      where table_schema = $1 and column_name <> 'tenant' and table_name not in ('tenants', 'migrations')
      group by table_name order by table_name = 'head' desc`,
    [schema],
  );
  return rows;
};

/** Gives a schema, which has one tenant, so many that all have the same records. It is far faster than an import. */
export const multiplyTenant = async (
  client: Client,
  { schema, tenants }: { readonly schema: string; readonly tenants: number },
): Promise<void> => {
  const numbers = `generate_series(1, ${tenants - 1}) as number`;
  await client.query(
    `insert into ${schema}.tenants (tenant, name) select number, 'clinic-' || number from ${numbers}`,
  );
  for (const { table, columns } of await readColumns(client, schema)) {
    await client.query(
      `insert into ${schema}.${table} (tenant, ${columns})
        select number, ${columns} from ${schema}.${table} cross join ${numbers} where tenant = 0 order by number`,
    );
  }
};
