import { setTimeout } from 'node:timers/promises';
import Database from 'better-sqlite3';

// Holds the lock of the writer of a file for so many milliseconds.
const [filename = '', milliseconds = '0'] = process.argv.slice(2);
const database = new Database(filename);
database.exec('BEGIN IMMEDIATE');
process.send?.('locked');
await setTimeout(Number(milliseconds));
database.exec('ROLLBACK');
database.close();
process.exit();
