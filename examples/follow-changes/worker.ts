import { existsSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { follow } from './follow.ts';
import { openTimeline } from './timeline.ts';

const [records = 'clinical-records.db', timeline = 'timeline.db'] = process.argv.slice(2);
const { EVERY = '1000' } = process.env;

if (!existsSync(records)) {
  console.error(`The file ${records} does not exist. Start the server first, or name its file.`);
  process.exit(2);
}

const database = new Database(timeline);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');

const clinicalRecords = createClinicalRecords({
  store: openSqliteStore({ filename: records }),
  extensionBase: 'https://clinical-records.example/extensions',
  careTeamRoles: [],
});
const timelineTable = openTimeline(database);

for (;;) {
  await follow(clinicalRecords, timelineTable, (count) =>
    console.log(`${count} more, up to ${timelineTable.position()}`),
  );
  await setTimeout(Number(EVERY));
}
