import { once } from 'node:events';
import pg from 'pg';
import { openPostgresStore } from '../../src/index.ts';
import { makeAttempts } from './attempts.ts';
import { writeCharts } from './charts.ts';
import { followFeed, nameEntry } from './feed.ts';

// A process that writes beside others, and prints its attempts and the feed as it saw it.
const [connectionString, name = '', mode] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 4, pipeline: mode === 'pipeline' });
const [store, charts] = ['shared', 'charts'].map((schema) => openPostgresStore({ pool, schema }));
if (store === undefined || charts === undefined) throw new Error('There are two stores.');
process.stdout.write('ready\n');
await once(process.stdin, 'data');

let isOver = false;
const following = followFeed(store, () => isOver);
const attempts = await makeAttempts(store, name);
isOver = true;
await writeCharts(charts, name);
const followed = (await following).map(nameEntry);
for (const one of [store, charts]) await one.close();
await pool.end();
process.stdout.write(JSON.stringify({ attempts, followed }));
process.stdin.destroy();
