import { existsSync, readFileSync } from 'node:fs';
import { createClinicalRecords } from '@clinical-records/core';
import { createWebhook } from '@clinical-records/http-adapter/webhooks';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { openDeliveryQueue } from './delivery-queue.ts';

const [filename = 'clinical-records.db', deliveries = 'webhooks.db', endpoints = 'endpoints.json'] =
  process.argv.slice(2);

if (!existsSync(filename)) {
  console.error(`The file ${filename} does not exist. Start the server first, or name its file.`);
  process.exit(2);
}

const database = new Database(deliveries);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');

const store = openSqliteStore({ filename });
const records = createClinicalRecords({
  store,
  extensionBase: 'https://clinical-records.example/extensions',
  careTeamRoles: [],
});

const stop = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => stop.abort());

type Endpoint = { readonly url: string; readonly secret: string; readonly includeResource?: boolean };
const configured: readonly Endpoint[] = JSON.parse(readFileSync(endpoints, 'utf8'));

// #region run
const webhooks = configured.map((endpoint) =>
  createWebhook({
    records,
    queue: openDeliveryQueue(database, endpoint.url),
    ...endpoint,
    onAttempt: ({ delivery, kind, status }) =>
      console.log(`${endpoint.url} ${delivery.record} ${kind} ${status}`),
  }),
);
await Promise.all(webhooks.map(({ run }) => run(stop.signal)));
// #endregion

await store.close();
database.close();
