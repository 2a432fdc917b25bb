import { Client } from 'pg';
import { collectWhileBusy } from '../floors/collect-while-busy.ts';
import { createDutifulListener } from '../floors/floor-listener.ts';
import { readPostgresProcessorTime } from '../postgres-processor-time.ts';
import { serveListener } from '../serve-listener.ts';
import { duties, type VersionRow } from './duties.ts';

const [url = '', folder = ''] = process.argv.slice(2);

const client = new Client({ connectionString: url, pipeline: true });
await client.connect();

type PendingRead = {
  readonly type: string;
  readonly id: string;
  readonly done: (row: VersionRow) => void;
};

const columns =
  "id, version, (date_part('epoch', committed) * 1000)::bigint as at, resource from clinical_records.searchable";

const readAll = async (reads: readonly PendingRead[]): Promise<void> => {
  const { rows } = await client.query<VersionRow & { readonly type: string }>({
    name: 'read rows',
    text: `select type, ${columns} where tenant = 0 and id = any($1)`,
    values: [reads.map(({ id }) => id)],
  });
  const found = new Map(rows.map((row) => [`${row.type}/${row.id}`, row]));
  for (const { type, id, done } of reads) {
    const row = found.get(`${type}/${id}`);
    if (row === undefined) throw new Error(`${type}/${id} is not in the table.`);
    done(row);
  }
};

const onRead = collectWhileBusy(readAll);

/** The floor of reads on our tables of PostgreSQL: the same rows by hand, and the duties of each response. */
serveListener(
  createDutifulListener<VersionRow>(
    {
      read: (type, id, done) => onRead({ type, id, done }),
      search: async ({ type, patient, count }, done) => {
        const { rows } = await client.query<VersionRow>({
          name: 'search',
          text: `select ${columns} where tenant = 0 and patient_id = $1 and type = $2 order by record limit $3`,
          values: [patient, type, count],
        });
        done(rows);
      },
    },
    duties,
  ),
  () => readPostgresProcessorTime(folder),
);
