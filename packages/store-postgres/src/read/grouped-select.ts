import { type RawBuilder, sql } from 'kysely';
import type { Reader } from '../readers.ts';
import { type Call, createStatement, type QueryBuilder, type Rows } from '../statement.ts';

type Waiting<Request, A> = {
  readonly request: Request;
  readonly resolve: (result: A) => void;
  readonly reject: (cause: unknown) => void;
};

/** How requests are answered: one by itself, or several together, in their order. */
type GroupSettings<Request, A> = {
  readonly answerOne: (request: Request) => Promise<A>;
  readonly answerAll: (requests: readonly Request[]) => Promise<readonly A[]>;
  /** The most requests that are answered together. */
  readonly maxGroup: number;
};

/**
 * Answers together what is requested in one turn of the event loop, or while the group before is being answered. A query
 * costs more than a record in it.
 */
export const createGroup = <Request, A>({
  answerOne,
  answerAll,
  maxGroup,
}: GroupSettings<Request, A>): ((request: Request) => Promise<A>) => {
  const waiting: Waiting<Request, A>[] = [];
  let isAnswering = false;

  const answerGroup = async ([first, ...others]: readonly Waiting<Request, A>[]): Promise<void> => {
    if (first === undefined) return;
    const group = [first, ...others];
    try {
      if (others.length === 0) first.resolve(await answerOne(first.request));
      else {
        const results = await answerAll(group.map(({ request }) => request));
        for (const [index, result] of results.entries()) group[index]?.resolve(result);
      }
    } catch (cause) {
      for (const { reject } of group) reject(cause);
    }
  };

  const answerWaiting = async (): Promise<void> => {
    // All requests of a turn wait before the first is sent.
    await new Promise((resolve) => setImmediate(resolve));
    while (waiting.length > 0) await answerGroup(waiting.splice(0, maxGroup));
    isAnswering = false;
  };

  return (request) =>
    new Promise((resolve, reject) => {
      waiting.push({ request, resolve, reject });
      if (isAnswering) return;
      isAnswering = true;
      void answerWaiting();
    });
};

/** A part of a request: its type in SQL, and its value. */
type Part<Request> = readonly [type: 'text' | 'bigint', read: (request: Request) => unknown];

/** The parts of a request, by the names of their columns in `asked`. */
export type Parts<Request> = Readonly<Record<string, Part<Request>>>;

type GroupedSelect<Request, Row, A> = {
  readonly call: Call;
  readonly parts: Parts<Request>;
  /** The query, which selects from `asked`. The rows of a request have its number `asked.n` as `n`. */
  readonly select: (asked: RawBuilder<unknown>, rows: Rows) => RawBuilder<Row & { readonly n: number }>;
  readonly toResult: (rows: readonly Row[], request: Request) => A;
  /** The most requests in a query. */
  readonly maxGroup: number;
};

/** Creates a read that answers with one query what is requested at about the same time. */
export const createGroupedSelect = <Request, Row, A>(
  builder: QueryBuilder,
  reader: Reader,
  { call, parts, select, toResult, maxGroup }: GroupedSelect<Request, Row, A>,
): ((request: Request) => Promise<A>) => {
  const names = [...Object.keys(parts), 'n'].map((name) => sql.ref(name));
  const selectOne = createStatement<Request, Row>(builder, call, (placeholder) => {
    const values = Object.values(parts).map(([type, read]) => placeholder(type, read));
    return select(
      sql`(values (${sql.join([...values, sql`1`])})) as asked (${sql.join(names)})`,
      placeholder.rows,
    );
  });
  const selectAll = createStatement<readonly Request[], Row & { readonly n: number }>(
    builder,
    call,
    (placeholder) => {
      const values = Object.values(parts).map(([type, read]) =>
        placeholder(`${type}[]`, (requests) => requests.map(read)),
      );
      return select(
        sql`unnest(${sql.join(values)}) with ordinality as asked (${sql.join(names)})`,
        placeholder.rows,
      );
    },
  );
  return createGroup({
    answerOne: async (request) => toResult(await reader(selectOne, request), request),
    answerAll: async (requests) => {
      const rowsOf = requests.map((): Row[] => []);
      for (const row of await reader(selectAll, requests)) rowsOf[row.n - 1]?.push(row);
      return requests.map((request, index) => toResult(rowsOf[index] ?? [], request));
    },
    maxGroup,
  });
};
