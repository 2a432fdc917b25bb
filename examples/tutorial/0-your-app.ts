import type { AddressInfo } from 'node:net';
import Database from 'better-sqlite3';
import express from 'express';

type Row = Readonly<Record<string, string>>;

const { PORT = '3000', FILE = 'tutorial.db' } = process.env;
const database = new Database(FILE);
database.pragma('journal_mode = WAL');
database.pragma('synchronous = FULL');
database.exec(`
  CREATE TABLE IF NOT EXISTS patients (id TEXT PRIMARY KEY, last_name TEXT, first_name TEXT, born TEXT);
  CREATE TABLE IF NOT EXISTS staff (id TEXT PRIMARY KEY, last_name TEXT, first_name TEXT, token TEXT UNIQUE);
  CREATE TABLE IF NOT EXISTS visits (id TEXT PRIMARY KEY, patient_id TEXT, reason TEXT);
  INSERT OR IGNORE INTO patients VALUES ('7', 'Shaw', 'Amy', '1958-04-12');
  INSERT OR IGNORE INTO staff VALUES ('12', 'Byron', 'Ada', 'token-of-ada');
`);
const select = (sql: string, ...values: readonly string[]) => database.prepare(sql).all(values) as Row[];

const userOf = async (token: string) => {
  const [user] = select('SELECT id FROM staff WHERE token = ?', token);
  return user?.id;
};

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const render = (title: string, lists: Readonly<Record<string, readonly string[]>>) => {
  const list = ([heading, lines]: [string, readonly string[]]) =>
    `<h2>${escapeHtml(heading)}</h2><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
  return `<!doctype html><h1>${escapeHtml(title)}</h1>${Object.entries(lists).map(list).join('')}`;
};

const app = express();

app.use(express.json());
app.use(async ({ headers: { authorization = '' } }, response, next) => {
  response.locals.user = await userOf(authorization.replace(/^Bearer /, ''));
  if (response.locals.user === undefined) response.status(401).json({ error: 'Log in first.' });
  else next();
});

app.get('/patients/:id', async ({ params: { id } }, response) => {
  const [patient] = select('SELECT * FROM patients WHERE id = ?', id);
  if (patient === undefined) return void response.status(404).json({ error: 'There is no such patient.' });
  const visits = select('SELECT reason FROM visits WHERE patient_id = ? ORDER BY id', id);
  response.send(
    render(`${patient.last_name}, ${patient.first_name}, born ${patient.born}`, {
      Visits: visits.map(({ reason = '' }) => reason),
    }),
  );
});

app.post('/patients/:id/visits', async ({ params: { id: patientId }, body }, response) => {
  const id = `visit-${Date.now()}`;
  database.prepare('INSERT INTO visits VALUES (?, ?, ?)').run(id, patientId, String(body.reason));
  response.status(201).json({ id });
});

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Your app at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
