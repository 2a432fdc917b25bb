import { openPostgresStore } from '@clinical-records/store-postgres';
import { Pool } from 'pg';
import { readPostgresProcessorTime } from './postgres-processor-time.ts';
import { serveOurs } from './serve-ours.ts';

const [url = '', folder = '', schema = 'clinical_records'] = process.argv.slice(2);

serveOurs(openPostgresStore({ pool: new Pool({ connectionString: url, pipeline: true }), schema }), {
  readProcessorTime: () => readPostgresProcessorTime(folder),
});
