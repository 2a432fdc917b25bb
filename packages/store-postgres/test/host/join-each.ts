import type { ClinicalStore, Commit } from '@clinical-records/core/store';
import type pg from 'pg';
import { fromQuery } from '../../src/index.ts';

/** Whether a commit cannot be part of a transaction of the host. */
const isRefused = ({ changes, reindexing }: Commit): boolean =>
  (reindexing?.records ?? []).length > 0 || changes.some(({ priorStates }) => priorStates !== undefined);

/** A store each of whose calls is a transaction of a tool, which runs SQL by one function. */
export const joinEach = (store: ClinicalStore, pool: pg.Pool): ClinicalStore => {
  const inTransaction = async <A>(work: (joined: ClinicalStore) => Promise<A>): Promise<A> => {
    const client = await pool.connect();
    try {
      await client.query('begin');
      const query = fromQuery(client, (text, values) => client.query(text, [...values]));
      const result = await work(query.join(store));
      await client.query('commit');
      return result;
    } catch (cause) {
      await client.query('rollback');
      throw cause;
    } finally {
      client.release();
    }
  };
  return {
    ...store,
    read: (ref) => inTransaction((joined) => joined.read(ref)),
    readResource: (ref) => inTransaction((joined) => joined.readResource(ref)),
    search: (query) => inTransaction((joined) => joined.search(query)),
    commit: (commit) =>
      isRefused(commit) ? store.commit(commit) : inTransaction((joined) => joined.commit(commit)),
    readVersion: (ref) => inTransaction((joined) => joined.readVersion(ref)),
    history: (range) => inTransaction((joined) => joined.history(range)),
    changesSince: (range) => inTransaction((joined) => joined.changesSince(range)),
    feedEnd: () => inTransaction((joined) => joined.feedEnd()),
    scan: (range) => inTransaction((joined) => joined.scan(range)),
  };
};
