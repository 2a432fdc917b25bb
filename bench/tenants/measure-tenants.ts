import { type ClinicalRecords, createClinicalRecords } from '@clinical-records/core';
import { openPostgresStore } from '@clinical-records/store-postgres';
import { startPostgres } from '@clinical-records/testing-postgres';
import { Client, Pool } from 'pg';
import {
  clinicResources,
  extensionBase,
  immunizationBody,
  patientId,
  patientOf,
  recordId,
  recordsPerPatient,
} from '../data/clinic.ts';
import { multiplyClinic, recordsOfClinic } from '../data/multiply-clinic.ts';
import { below, randomFrom } from '../data/random.ts';
import { interleavedMedians, type Rate } from '../measure/interleaved.ts';
import { readPostgresProcessorTime } from '../servers/postgres-processor-time.ts';
import { multiplyTenant } from './multiply-tenant.ts';

/**
 * A thousand tenants of a thousand records each, against one tenant of a thousand records and one of a million, each in a schema
 * of its own. They fill some 9 GB.
 */
const [tenants, rounds, seconds, folder] = process.argv.slice(2);
const [tenantCount, roundCount, roundSeconds] = [
  Number(tenants ?? 1000),
  Number(rounds ?? 5),
  Number(seconds ?? 1),
];
const recordsOfTenant = 1008;
const copies = Math.round((tenantCount * recordsOfTenant) / recordsOfClinic);

const server = await startPostgres({
  settings: { shared_buffers: '1GB', max_wal_size: '4GB', fsync: 'off', full_page_writes: 'off' },
  ...(folder !== undefined && { parent: folder }),
});
const connections = 10;
const pool = new Pool({ connectionString: server.url, pipeline: true, max: connections });
pool.on('error', () => {});

const openRecords = (schema: string, tenant = 'default'): ClinicalRecords =>
  createClinicalRecords({
    store: openPostgresStore({ pool, schema, tenant }),
    extensionBase,
    careTeamRoles: [],
  });

const importClinic = async (schema: string, records: number) => {
  const { importer } = openRecords(schema);
  const { issues } = await importer.load(clinicResources({ from: 0, until: records }));
  if (issues[0] !== undefined) throw new Error(`An import failed: ${JSON.stringify(issues[0])}`);
};

const fill = async () => {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  const timed = async (name: string, work: () => Promise<unknown>) => {
    const began = performance.now();
    await work();
    console.log(`${name}: ${((performance.now() - began) / 1000).toFixed(1)} s`);
  };
  await timed('small: an import', () => importClinic('small', recordsOfTenant));
  await importClinic('many', recordsOfTenant);
  await timed(`many: ${tenantCount - 1} copies of a tenant by SQL`, () =>
    multiplyTenant(client, { schema: 'many', tenants: tenantCount }),
  );
  await importClinic('clinic_records', recordsOfClinic);
  await openPostgresStore({ pool, schema: 'large' }).migrate();
  await timed(`large: ${copies} copies of a clinic by SQL`, () =>
    multiplyClinic(client, { from: 'clinic_records', to: 'large', copies }),
  );
  await client.query('vacuum analyze');
  await client.query('checkpoint');
  const { rows } = await client.query(
    `select nspname as schema, pg_size_pretty(sum(pg_total_relation_size(pg_class.oid))) as size
      from pg_class join pg_namespace on pg_namespace.oid = relnamespace
      where relkind = 'r' and nspname in ('small', 'many', 'large') group by nspname order by nspname`,
  );
  console.log(rows.map(({ schema, size }) => `${schema}: ${size}`).join(', '));
  await client.end();
};

await fill();
await server.restart({ fsync: 'on', full_page_writes: 'on' });

/** The processor time of this process and of PostgreSQL, in microseconds. */
const processorTimes = () => {
  const { user, system } = process.cpuUsage();
  return [user + system, readPostgresProcessorTime(server.folder)] as const;
};

/** Does work, so many at a time, for a number of seconds. */
const rateOf = async (work: (nth: number) => Promise<unknown>, atOnce: number): Promise<Rate> => {
  let count = 0;
  const before = processorTimes();
  const began = performance.now();
  const until = began + roundSeconds * 1000;
  const run = async (nth: number) => {
    while (performance.now() < until) {
      await work(nth);
      count += 1;
    }
  };
  await Promise.all(Array.from({ length: atOnce }, (_, nth) => run(nth)));
  const [took, after] = [performance.now() - began, processorTimes()];
  const used = after.reduce((sum, time, at) => sum + time - (before[at] ?? 0), 0);
  return { perSecond: (count * 1000) / took, microsecondsEach: used / count };
};

const format = ({ perSecond, microsecondsEach }: Rate) =>
  `${Math.round(perSecond)}/s, ${Math.round(microsecondsEach)} µs`;

const report = (work: string, names: readonly string[], rates: readonly Rate[]) => {
  const [first] = rates;
  const ratioTo = (rate: Rate) => (rate.perSecond / (first?.perSecond ?? Number.NaN)).toFixed(2);
  console.log(
    `${work}: ${rates.map((rate, at) => `${names[at]} ${format(rate)} (${ratioTo(rate)})`).join('; ')}`,
  );
};

type Clinic = { readonly records: ClinicalRecords; readonly size: number };

/** An immunization of a patient in one half of the clinic: creates are in the other one than reads, which find no more by them. */
const immunizationOf = (random: () => number, { size }: Clinic, half: 0 | 1) => {
  const pairs = Math.floor(patientOf(size) / 4);
  return (below(random, pairs) + half * pairs) * 2 * recordsPerPatient + below(random, recordsPerPatient);
};

type Work = (clinic: Clinic, random: () => number) => Promise<unknown>;

const read: Work = (clinic, random) =>
  clinic.records.immunizations.asJson.read(recordId(immunizationOf(random, clinic, 0)));

const search: Work = (clinic, random) =>
  clinic.records.immunizations.asJson.search({
    patient: patientId(patientOf(immunizationOf(random, clinic, 0))),
    _count: '20',
  });

const create: Work = (clinic, random) =>
  clinic.records.immunizations.create(immunizationBody(immunizationOf(random, clinic, 1), 'its encounter'));

const memoryOfBackends = async () => {
  const clients = await Promise.all(Array.from({ length: connections }, () => pool.connect()));
  const sizes = await Promise.all(
    clients.map(async (client) => {
      const { rows } = await client.query(
        'select sum(total_bytes)::float8 as bytes from pg_backend_memory_contexts',
      );
      return rows[0].bytes as number;
    }),
  );
  for (const client of clients) client.release();
  return sizes.reduce((sum, size) => sum + size, 0) / connections / 2 ** 20;
};

const reportMemory = async (when: string) => {
  globalThis.gc?.();
  const { heapUsed, rss } = process.memoryUsage();
  const [heap, resident] = [heapUsed, rss].map((bytes) => Math.round(bytes / 2 ** 20));
  console.log(
    `${when}: heap ${heap} MiB, process ${resident} MiB, a backend ${(await memoryOfBackends()).toFixed(1)} MiB`,
  );
};

const small: Clinic = { records: openRecords('small'), size: recordsOfTenant };
const large: Clinic = { records: openRecords('large'), size: copies * recordsOfClinic };
const touch: Work = async (clinic, random) => {
  for (const work of [read, search, create]) await work(clinic, random);
};
const random = randomFrom(1);
for (let nth = 0; nth < 500; nth++) await touch(small, random);
for (const work of [read, search, create]) await rateOf(() => work(small, random), 32);
await reportMemory('One tenant is open');

const many: Clinic[] = [];
for (const pass of ['first', 'second']) {
  const before = processorTimes();
  const began = performance.now();
  for (let nth = 0; nth < tenantCount; nth++) {
    many[nth] ??= {
      records: openRecords('many', nth === 0 ? 'default' : `clinic-${nth}`),
      size: recordsOfTenant,
    };
    await touch(many[nth] as Clinic, random);
  }
  const used = processorTimes().map((time, at) => (time - (before[at] ?? 0)) / tenantCount / 1000);
  console.log(
    `${tenantCount} tenants are read, searched and written the ${pass} time: ${((performance.now() - began) / tenantCount).toFixed(1)} ms each, processor ${used.map((ms) => ms.toFixed(1)).join(' + ')} ms (ours + PostgreSQL)`,
  );
  await reportMemory(`All are open`);
}

const tenantOf = (drawn: () => number) => many[below(drawn, tenantCount)] as Clinic;
const compare = async (name: string, work: Work, atOnce: number) => {
  const candidates = [() => small, tenantOf, () => large].map((choose) => (seed: number) => {
    const drawn = randomFrom(seed);
    return rateOf(() => work(choose(drawn), drawn), atOnce);
  });
  const names = ['one of 1,000', `${tenantCount} of 1,000`, 'one of 1,000,000'];
  report(`${name}, ${atOnce} at a time`, names, await interleavedMedians(candidates, roundCount));
};
for (const atOnce of [1, 32]) {
  await compare('read by id', read, atOnce);
  await compare('search by patient, with total', search, atOnce);
  await compare('create', create, atOnce);
}

/** The stores of 16 processes, each of which writes for one of so many tenants. */
const writersOf = (count: number): readonly Clinic[] =>
  Array.from({ length: 16 }, (_, nth) => ({
    records: openRecords('many', `clinic-${1 + (nth % count)}`),
    size: recordsOfTenant,
  }));
const counts = [1, 4, 16];
const writing = async (name: string, clinicsOf: (count: number) => readonly Clinic[]) => {
  const candidates = counts.map((count) => {
    const clinics = clinicsOf(count);
    return (seed: number) => {
      const drawn = randomFrom(seed);
      return rateOf((nth) => create(clinics[nth % clinics.length] as Clinic, drawn), 16);
    };
  });
  report(
    name,
    counts.map((count) => `${count} tenants`),
    await interleavedMedians(candidates, roundCount),
  );
};
await writing('16 writers of one process', (count) => many.slice(1, 1 + count));
await writing('16 writers, each with a store of its own', writersOf);

await pool.end();
await server.stop();
