import { type RawBuilder, sql } from 'kysely';
import type { QueryBuilder } from '../query-builder.ts';
import type { Reader } from '../reader.ts';
import { createStatement } from '../statement.ts';
import { createGroup } from './group.ts';

/** A part of a request: its type in SQL, and its value. */
type Part<Request> = readonly [type: 'text' | 'bigint', read: (request: Request) => unknown];

type GroupedSelect<Request, Row, A> = {
  /** The parts of a request, by the names of their columns in `asked`. */
  readonly parts: Readonly<Record<string, Part<Request>>>;
  /** The query, which selects from `asked`. The rows of a request have its number `asked.n` as `n`. */
  readonly select: (asked: RawBuilder<unknown>) => RawBuilder<Row & { readonly n: number }>;
  readonly toResult: (rows: readonly Row[], request: Request) => A;
  /** The most requests in a query. */
  readonly maxGroup: number;
};

/** Creates a read that answers with one query what is requested at about the same time. */
export const createGroupedSelect = <Request, Row, A>(
  builder: QueryBuilder,
  reader: Reader,
  { parts, select, toResult, maxGroup }: GroupedSelect<Request, Row, A>,
): ((request: Request) => Promise<A>) => {
  const names = [...Object.keys(parts), 'n'].map((name) => sql.ref(name));
  const one = createStatement<Request, Row>(builder, (placeholder) => {
    const values = Object.values(parts).map(([type, read]) => placeholder(type, read));
    return select(sql`(values (${sql.join([...values, sql`1`])})) as asked (${sql.join(names)})`);
  });
  const all = createStatement<readonly Request[], Row & { readonly n: number }>(builder, (placeholder) => {
    const values = Object.values(parts).map(([type, read]) =>
      placeholder(`${type}[]`, (requests) => requests.map(read)),
    );
    return select(sql`unnest(${sql.join(values)}) with ordinality as asked (${sql.join(names)})`);
  });
  return createGroup({
    answerOne: async (request) => toResult(await reader(one, request), request),
    answerAll: async (requests) => {
      const rowsOf = requests.map((): Row[] => []);
      for (const row of await reader(all, requests)) rowsOf[row.n - 1]?.push(row);
      return requests.map((request, at) => toResult(rowsOf[at] ?? [], request));
    },
    maxGroup,
  });
};
