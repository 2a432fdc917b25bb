import { once } from 'node:events';
import pg from 'pg';
import { createTenant, listTenants, openPostgresStore } from '../../src/index.ts';
import { makeAttempts } from './attempts.ts';
import { chartsTenant, writeCharts } from './charts.ts';
import { followFeed, nameEntry } from './feed.ts';

// A process that writes beside others, and prints its attempts and the feed as it saw it.
const [connectionString, name = '', mode] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString, max: 4, pipeline: mode === 'pipeline' });
const store = openPostgresStore({ pool });
const charts = openPostgresStore({ pool, tenant: chartsTenant });
process.stdout.write('ready\n');
await once(process.stdin, 'data');

await createTenant({ pool, tenant: chartsTenant }).catch(async (cause) => {
  // Another process was faster.
  if (!(await listTenants({ pool })).some(({ name }) => name === chartsTenant)) throw cause;
});
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
