import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import express from 'express';

// An example of an existing backend: its app, its database, its users.

const { PORT = '3000', FILE = 'your-backend.db' } = process.env;

export const database = new Database(FILE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(`
  CREATE TABLE IF NOT EXISTS patients (id TEXT PRIMARY KEY, last_name TEXT NOT NULL, first_name TEXT NOT NULL);
  CREATE TABLE IF NOT EXISTS staff (id TEXT PRIMARY KEY, last_name TEXT NOT NULL, first_name TEXT NOT NULL);
  INSERT OR IGNORE INTO patients VALUES ('7', 'Shaw', 'Amy');
  INSERT OR IGNORE INTO staff VALUES ('12', 'Byron', 'Ada');
`);

type Person = { readonly id: string; readonly lastName: string; readonly firstName: string };

const createPersonLookup = (table: 'patients' | 'staff') => {
  const row = database.prepare<[string], Person>(
    `SELECT id, last_name AS lastName, first_name AS firstName FROM ${table} WHERE id = ?`,
  );
  return (id: string): Person | undefined => row.get(id);
};

export const findPatient = createPersonLookup('patients');
export const findStaff = createPersonLookup('staff');

/** The user of a session token. */
export const findUser = (token: string): Person | undefined =>
  token === 'session-of-ada' ? findStaff('12') : undefined;

export const app = express();
app.get('/', (_, response) => {
  response.send('Your backend');
});

export const listen = (): void => {
  const server = app.listen(Number(PORT), '127.0.0.1', () => {
    console.log(`Your backend at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  });
};
