import { Pool } from 'pg';
import { insertRow, readRow, searchRows } from '../../data/postgres-floor.ts';
import { readPostgresProcessorTime } from '../postgres-processor-time.ts';
import { serveListener } from '../serve-listener.ts';
import { createFloorListener } from './floor-listener.ts';

const [url = '', folder = ''] = process.argv.slice(2);

const pool = new Pool({ connectionString: url, max: 8 });

type ResourceRow = { readonly resource: string };

/** A floor of a store on PostgreSQL: a prepared statement for each request, on one of eight connections. */
serveListener(
  createFloorListener({
    read: async (type, id, done) => {
      const { rows } = await pool.query<ResourceRow>({ ...readRow, values: [type, id] });
      done(rows[0]?.resource ?? '');
    },
    search: async ({ type, patient, count }, done) => {
      const { rows } = await pool.query<ResourceRow>({ ...searchRows, values: [patient, type, count] });
      done(rows.map(({ resource }) => resource));
    },
    create: async ({ type, id, patient, resource }, done) => {
      await pool.query({ ...insertRow, values: [type, id, patient, resource] });
      done();
    },
  }),
  () => readPostgresProcessorTime(folder),
);
