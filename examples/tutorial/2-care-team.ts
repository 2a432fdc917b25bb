import type { AddressInfo } from 'node:net';
import { ClinicalRecordsError, createClinicalRecords, isFailure } from '@clinical-records/core';
import { openSqliteStore } from '@clinical-records/store-sqlite';
import Database from 'better-sqlite3';
import express, { type ErrorRequestHandler } from 'express';

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

const nameOf = ({ id = '', last_name: lastName = '', first_name: firstName = '' }: Row) => ({
  id,
  lastName,
  firstName,
});

const snomed = 'http://snomed.info/sct';
const records = createClinicalRecords({
  store: openSqliteStore({ database, prefix: 'chart_' }),
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [
    { system: snomed, code: '17561000', display: 'Cardiologist' },
    { system: snomed, code: '224535009', display: 'Registered nurse' },
  ],
  resolve: {
    Patient: (id) => select('SELECT * FROM patients WHERE id = ?', id).map(nameOf)[0],
    Practitioner: (id) => select('SELECT * FROM staff WHERE id = ?', id).map(nameOf)[0],
  },
});

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
  const team = await records.careTeams.read(id);
  const members = team.participant ?? [];
  response.send(
    render(`${patient.last_name}, ${patient.first_name}, born ${patient.born}`, {
      Visits: visits.map(({ reason = '' }) => reason),
      [team.name]: members.map(({ member, role }) => `${member.display}, ${role?.[0]?.coding[0]?.display}`),
    }),
  );
});

app.post('/patients/:id/visits', async ({ params: { id: patientId }, body }, response) => {
  const id = `visit-${Date.now()}`;
  database.prepare('INSERT INTO visits VALUES (?, ?, ?)').run(id, patientId, String(body.reason));
  response.status(201).json({ id });
});

app.post('/patients/:id/team', async ({ params: { id }, body }, response) => {
  const by = `Practitioner/${response.locals.user}` as const;
  const role = { system: snomed, code: String(body.role) };
  await records.careTeams.setParticipantStatus(id, `Practitioner/${body.member}`, 'active', { role, by });
  response.status(201).json({ ok: true });
});

const handleError: ErrorRequestHandler = (cause, _, response, next) => {
  if (!(cause instanceof ClinicalRecordsError) || isFailure(cause.error)) return next(cause);
  response.status(422).json({ error: cause.message });
};
app.use(handleError);

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Your app at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
