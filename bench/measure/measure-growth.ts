import { openPostgresStore } from '@clinical-records/store-postgres';
import { createDatabase, startPostgres } from '@clinical-records/testing-postgres';
import { Client, Pool } from 'pg';
import { startChild } from '../child/start-child.ts';
import { createClinicFiles, removeClinicFiles } from '../clinic-files.ts';
import { copyToPostgres, settlePostgres } from '../data/copy-to-postgres.ts';
import { multiplyClinic, recordsOfClinic } from '../data/multiply-clinic.ts';
import type { Load, LoadResult } from '../load/load.ts';
import type { Requests } from '../load/requests.ts';
import { readThrough } from '../read-through.ts';
import type { ServerStatus } from '../servers/serve-listener.ts';
import { interleavedMedians } from './interleaved.ts';

/**
 * The rates of the store on PostgreSQL with 10,000,000 records, against those with 1,000,000. The tables are filled in SQL, with
 * copies of one clinic, and take some 50 GB.
 */
const [copies, rounds, seconds, folder] = process.argv.slice(2);
const sizes = (copies ?? '100,1000').split(',').map(Number);

const schemaOf = (size: number) => `copies_${size}`;

const settings = {
  shared_buffers: '2GB',
  max_wal_size: '8GB',
  maintenance_work_mem: '1GB',
  wal_level: 'minimal',
  max_wal_senders: '0',
};
const server = await startPostgres({
  settings: { ...settings, fsync: 'off', full_page_writes: 'off', autovacuum: 'off' },
  ...(folder !== undefined && { parent: folder }),
});
const { url } = await createDatabase(server.url);
const files = await createClinicFiles(recordsOfClinic);
await copyToPostgres(files.ours, url);
await settlePostgres(url);
removeClinicFiles(files);

const client = new Client({ connectionString: url });
await client.connect();
for (const size of sizes) {
  const pool = new Pool({ connectionString: url });
  const store = openPostgresStore({ pool, schema: schemaOf(size) });
  await store.read({ type: 'Goal', id: 'none' });
  await store.close();
  await pool.end();
  const began = performance.now();
  await multiplyClinic(client, { from: 'clinical_records', to: schemaOf(size), copies: size });
  const { rows } = await client.query(
    `select pg_size_pretty(sum(pg_total_relation_size(oid))) as size from pg_class
      where relkind = 'r' and relnamespace = $1::regnamespace`,
    [schemaOf(size)],
  );
  const took = Math.round((performance.now() - began) / 1000);
  console.log(`${size * recordsOfClinic} records: ${rows[0].size}, in ${took} s`);
}
await client.query('vacuum analyze');
await client.query('checkpoint');

/** The files of the tables that reads and searches use, and of their indexes. A file has at most a gibibyte. */
const { rows: searchedFiles } = await client.query<{ readonly path: string; readonly parts: number }>(
  `select pg_relation_filepath(oid) as path, ceil(pg_relation_size(oid) / 1073741824.0)::integer as parts
    from pg_class where relnamespace = any($1::regnamespace[]) and relname not like 'versions%' and relkind in ('r', 'i')`,
  [sizes.map(schemaOf)],
);
await client.end();
await server.restart({ fsync: 'on', full_page_writes: 'on', autovacuum: 'on' });

for (const { path, parts } of searchedFiles) {
  for (let part = 0; part < parts; part++)
    await readThrough(`${server.folder}/${path}${part === 0 ? '' : `.${part}`}`);
}

const load = await startChild<Load, LoadResult>('load/load.ts');
const servers = await Promise.all(
  sizes.map(async (size) => ({
    records: size * recordsOfClinic,
    child: await startChild<object, ServerStatus>(
      'servers/ours-postgres.ts',
      url,
      server.folder,
      schemaOf(size),
    ),
  })),
);

const works: Readonly<Record<string, (records: number) => Requests>> = {
  'read by id': (records) => ({ kind: 'read', records }),
  'search by patient': (records) => ({ kind: 'search', type: 'Immunization', count: 20, records }),
  'search by patient and status': (records) => ({ kind: 'narrowed search', by: 'status', records }),
  'search by patient and authored': (records) => ({ kind: 'narrowed search', by: 'authored', records }),
  'total of an unfiltered search': () => ({ kind: 'fixed', path: 'ServiceRequest?_count=0' }),
  'first page of an unfiltered search': () => ({ kind: 'fixed', path: 'ServiceRequest?_count=10' }),
  'create, in the note of its encounter': (records) => ({ kind: 'create in encounter', records }),
};

for (const [work, requestsFor] of Object.entries(works)) {
  const candidates = servers.map(({ records, child }) => async (seed: number) => {
    const before = await child.ask({});
    const { perSecond, served, refused } = await load.ask({
      origin: before.origin,
      connections: 32,
      seconds: Number(seconds ?? 5),
      requests: requestsFor(records),
      seed,
    });
    if (refused > 0) throw new Error(`${work}: ${refused} requests were refused.`);
    const { processorMicroseconds } = await child.ask({});
    return { perSecond, microsecondsEach: (processorMicroseconds - before.processorMicroseconds) / served };
  });
  const [first, ...others] = await interleavedMedians(candidates, Number(rounds ?? 5));
  const ratios = others.map((rate) => (rate.perSecond / (first?.perSecond ?? Number.NaN)).toPrecision(3));
  const rates = [first, ...others].map(
    (rate) => `${Math.round(rate?.perSecond ?? 0)}/s, ${rate?.microsecondsEach.toPrecision(3)} µs`,
  );
  console.log(`${work}: ${rates.join('; ')}; ratio ${ratios.join(', ')}`);
}

for (const { child } of servers) await child.stop();
await load.stop();
await server.stop();
