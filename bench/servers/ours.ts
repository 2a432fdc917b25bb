import { openSqliteStore } from '@clinical-records/store-sqlite';
import { serveOurs } from './serve-ours.ts';

const [filename = ''] = process.argv.slice(2);

serveOurs(openSqliteStore({ filename }));
