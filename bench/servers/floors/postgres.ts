import { Client } from 'pg';
import { insertRows, readRows, searchRows } from '../../data/postgres-floor.ts';
import { readPostgresProcessorTime } from '../postgres-processor-time.ts';
import { serveListener } from '../serve-listener.ts';
import { collectWhileBusy } from './collect-while-busy.ts';
import { createFloorListener, type FloorRow } from './floor-listener.ts';

const [url = '', folder = ''] = process.argv.slice(2);

const connect = async (): Promise<Client> => {
  const client = new Client({ connectionString: url, pipeline: true });
  await client.connect();
  return client;
};
const reader = await connect();
const writer = await connect();

type ReadRow = { readonly type: string; readonly id: string; readonly resource: string };
type PendingRead = {
  readonly type: string;
  readonly id: string;
  readonly done: (resource: string) => void;
};
type PendingCreate = { readonly row: FloorRow; readonly done: () => void };

const readAll = async (reads: readonly PendingRead[]): Promise<void> => {
  const { rows } = await reader.query<ReadRow>({ ...readRows, values: [reads.map(({ id }) => id)] });
  const resources = new Map(rows.map(({ type, id, resource }) => [`${type}/${id}`, resource]));
  for (const { type, id, done } of reads) done(resources.get(`${type}/${id}`) ?? '');
};

const insertAll = async (creates: readonly PendingCreate[]): Promise<void> => {
  const columns = (['type', 'id', 'patient', 'resource'] as const).map((column) =>
    creates.map(({ row }) => row[column]),
  );
  await writer.query({ ...insertRows, values: columns });
  for (const { done } of creates) done();
};

const onRead = collectWhileBusy(readAll);
const onCreate = collectWhileBusy(insertAll);

/**
 * The best floor of a store on PostgreSQL. The reads that come in one turn, or while others are being read, are one
 * statement. So are the creates. Searches are sent without waiting for the results of others.
 */
serveListener(
  createFloorListener({
    read: (type, id, done) => onRead({ type, id, done }),
    search: async ({ type, patient, count }, done) => {
      const { rows } = await reader.query<{ readonly resource: string }>({
        ...searchRows,
        values: [patient, type, count],
      });
      done(rows.map(({ resource }) => resource));
    },
    create: (row, done) => onCreate({ row, done }),
  }),
  () => readPostgresProcessorTime(folder),
);
