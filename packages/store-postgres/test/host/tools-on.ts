import type pg from 'pg';
import { fromDrizzle, fromKnex, fromPrisma, fromTypeOrm, type HostQuery } from '../../src/index.ts';

export const queryOn =
  (client: pg.ClientBase): HostQuery =>
  (text, values) =>
    client.query(text, [...values]);

/** The transaction on a client, joined by the function of each tool, which ends at the same client. */
export const toolsOn = (client: pg.PoolClient) => {
  const query = queryOn(client);
  const chunk = (text: string, value?: unknown) => ({ text, value });
  return {
    fromKnex: fromKnex({
      raw: (text, values) => {
        let at = 0;
        return query(
          text.replace(/\\\?|\?/g, (found) => (found === '?' ? `$${++at}` : '?')),
          values,
        );
      },
    }),
    fromTypeOrm: fromTypeOrm({
      query: async (text, values = []) => (await client.query(text, values)).rows,
    }),
    fromPrisma: fromPrisma({
      $queryRawUnsafe: async (text, ...values) => (await client.query(text, values)).rows,
    }),
    fromDrizzle: fromDrizzle(
      {
        execute: (chunks: ReturnType<typeof chunk>[]) => {
          const values: string[] = [];
          const text = chunks
            .map(({ text, value }) => (text === '?' ? `$${values.push(value as string)}` : text))
            .join('');
          return query(text, values);
        },
      } as never,
      { raw: (text) => chunk(text), param: (value) => chunk('?', value), join: (chunks) => chunks },
    ),
  };
};
