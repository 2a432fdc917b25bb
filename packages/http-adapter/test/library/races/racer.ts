import { once } from 'node:events';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import { createRecords } from '../../clinic.ts';
import { createWriter, posts, puts } from './writes.ts';

// A process that does its share of all writes on a file at once, when it is started, and prints their statuses.
const [filename = '', own = '0', racers = '1'] = process.argv.slice(2);
const store = openSqliteStore({ filename, busyTimeout: 60_000 });
const write = createWriter(createRecords(store));
process.stdout.write('ready\n');
await once(process.stdin, 'data');
const share = [...posts, ...puts].filter((_, at) => at % Number(racers) === Number(own));
const answers = await Promise.all(share.map(write));
await store.close();
process.stdout.write(JSON.stringify(answers.map(({ status }, at) => [share[at]?.method, status])));
process.stdin.destroy();
