import pg from 'pg';
import type { PostgresQuery } from '../../src/postgres-pool.ts';
import { textType } from '../../src/text.ts';

/** A node of a plan, as EXPLAIN describes it. */
export type PlanNode = {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Actual Loops': number;
  readonly 'Actual Rows': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Join Filter'?: number;
  readonly 'Total Cost': number;
  readonly Plans?: readonly PlanNode[];
};

export const nodesOf = (node: PlanNode): readonly PlanNode[] => [
  node,
  ...(node.Plans ?? []).flatMap(nodesOf),
];

/** The number of rows that a node of a plan has looked at in all of its loops. */
export const rowsOf = (node: PlanNode): number =>
  node['Actual Loops'] *
  (node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0) + (node['Rows Removed by Join Filter'] ?? 0));

const isTextArray = (value: unknown): value is Buffer =>
  Buffer.isBuffer(value) && value.length >= 20 && value.readInt32BE(8) === textType;

const literalOf = async (client: pg.ClientBase, value: unknown): Promise<string> => {
  if (isTextArray(value)) {
    const { rows } = await client.query('select quote_literal($1::text[]) as literal', [value]);
    return rows[0].literal;
  }
  if (Buffer.isBuffer(value)) return `'\\x${value.toString('hex')}'`;
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.join()}}`);
  return value === null ? 'null' : pg.escapeLiteral(String(value));
};

/** The plan that a prepared statement has for any values. */
export const planOf = async (
  pool: pg.Pool,
  { text, values = [] }: PostgresQuery,
  options: string,
): Promise<PlanNode> => {
  const client = await pool.connect();
  try {
    await client.query('set plan_cache_mode = force_generic_plan');
    await client.query(`prepare explained as ${text}`);
    const literals = await Promise.all(values.map((value) => literalOf(client, value)));
    const args = literals.length === 0 ? '' : `(${literals.join()})`;
    const { rows } = await client.query(`explain (${options}, format json) execute explained${args}`);
    return rows[0]['QUERY PLAN'][0].Plan;
  } finally {
    client.release(true);
  }
};

/** The nodes of its plan that ran. */
export const explain = async (pool: pg.Pool, query: PostgresQuery): Promise<readonly PlanNode[]> =>
  nodesOf(await planOf(pool, query, 'analyze, costs off')).filter((node) => node['Actual Loops'] > 0);
