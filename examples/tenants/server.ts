import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { limitConnections } from '@clinical-records/http-adapter';
import pg from 'pg';
import { createApp } from './app.ts';
import { oneServer, openClinics } from './clinics.ts';

const { PORT = '3000', DATABASE_URL } = process.env;

const pool = new pg.Pool({
  ...{ connectionString: DATABASE_URL, pipeline: true },
  // A server that is gone without a word is noticed.
  ...{ connectionTimeoutMillis: 10_000, query_timeout: 15_000, keepAlive: true },
});
// A connection that is lost while nobody uses it is replaced by the next request.
pool.on('error', (cause) => console.error(cause));

const clinics = openClinics(oneServer(pool));
// The same id names two persons, because each clinic has its own ids.
for (const [name, lastName] of [
  ['north', 'Shaw'],
  ['south', 'Hill'],
] as const) {
  await clinics.add(name);
  await clinics.use(name, ({ directory }) =>
    directory.put('Patient', { id: '7', lastName, firstName: 'Amy' }),
  );
}

const server = limitConnections(createServer(createApp(clinics)));
server.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Clinics at http://127.0.0.1:${(server.address() as AddressInfo).port}/clinics`);
});
