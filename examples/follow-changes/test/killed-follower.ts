import { createClinicalRecords } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import { follow } from '../follow.ts';
import { openTimeline } from '../timeline.ts';

const [filename = '', timeline = '', when = '', line = '0'] = process.argv.slice(2);

// SIGKILL leaves a process no time to clean up: it is gone before this returns.
const die = () => {
  process.kill(process.pid, 'SIGKILL');
  return null;
};

const database = new Database(timeline);
const timelineTable = openTimeline(database);
if (when === 'at line') {
  database.function('die', die);
  database.exec(`CREATE TEMP TRIGGER killed AFTER INSERT ON timeline WHEN NEW.line = ${Number(line)}
    BEGIN SELECT die(); END`);
}
const records = createClinicalRecords({
  store: openSqliteStore({ filename }),
  extensionBase: 'https://clinic.example/fhir',
  careTeamRoles: [],
});
await follow(records, timelineTable, when === 'after a batch' ? die : undefined);
