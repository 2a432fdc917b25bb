import type { AddressInfo } from 'node:net';
import { ClinicalRecordsError, createClinicalRecords, isFailure } from '@clinical-records/core';
import { createHttpHandler, outcomeOf, toNodeListener } from '@clinical-records/http-adapter';
import { openPostgresStore } from '@clinical-records/store-postgres';
import express, { type ErrorRequestHandler } from 'express';
import pg from 'pg';

type Row = Readonly<Record<string, string>>;

const { PORT = '3000', DATABASE_URL } = process.env;
const pool = new pg.Pool({ connectionString: DATABASE_URL, pipeline: true });
pool.on('error', (cause) => console.error(cause));
await pool.query(`
  CREATE TABLE IF NOT EXISTS patients (id TEXT PRIMARY KEY, last_name TEXT, first_name TEXT, born TEXT);
  CREATE TABLE IF NOT EXISTS staff (id TEXT PRIMARY KEY, last_name TEXT, first_name TEXT, token TEXT UNIQUE);
  CREATE TABLE IF NOT EXISTS visits (id TEXT PRIMARY KEY, patient_id TEXT, reason TEXT);
  INSERT INTO patients VALUES ('7', 'Shaw', 'Amy', '1958-04-12') ON CONFLICT DO NOTHING;
  INSERT INTO staff VALUES ('12', 'Byron', 'Ada', 'token-of-ada') ON CONFLICT DO NOTHING;
`);
const select = async (sql: string, ...values: readonly string[]) =>
  (await pool.query<Row>(sql, [...values])).rows;

const nameOf = ({ id = '', last_name: lastName = '', first_name: firstName = '' }: Row) => ({
  id,
  lastName,
  firstName,
});

const snomed = 'http://snomed.info/sct';
const store = openPostgresStore({ pool });
await store.migrate();
const records = createClinicalRecords({
  store,
  extensionBase: 'https://clinic.example/fhir/extensions',
  careTeamRoles: [
    { system: snomed, code: '17561000', display: 'Cardiologist' },
    { system: snomed, code: '224535009', display: 'Registered nurse' },
  ],
  resolve: {
    Patient: async (id) => (await select('SELECT * FROM patients WHERE id = $1', id)).map(nameOf)[0],
    Practitioner: async (id) => (await select('SELECT * FROM staff WHERE id = $1', id)).map(nameOf)[0],
  },
});

const userOf = async (token: string) => {
  const [user] = await select('SELECT id FROM staff WHERE token = $1', token);
  return user?.id;
};

const escapeHtml = (text: string) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`);

const render = (title: string, lists: Readonly<Record<string, readonly string[]>>) => {
  const list = ([heading, lines]: [string, readonly string[]]) =>
    `<h2>${escapeHtml(heading)}</h2><ul>${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('')}</ul>`;
  return `<!doctype html><h1>${escapeHtml(title)}</h1>${Object.entries(lists).map(list).join('')}`;
};

const app = express();

const fhir = createHttpHandler(records, {
  basePath: '/fhir',
  authenticate: async (token) => {
    const user = await userOf(token);
    return user === undefined ? null : { subject: `Practitioner/${user}`, scopes: ['user/*.*'] };
  },
  onError: (cause) => console.error(cause),
});
app.use('/fhir', toNodeListener(fhir));

app.use(express.json());
app.use(async ({ headers: { authorization = '' } }, response, next) => {
  response.locals.user = await userOf(authorization.replace(/^Bearer /, ''));
  if (response.locals.user === undefined) response.status(401).json({ error: 'Log in first.' });
  else next();
});

app.get('/patients/:id', async ({ params: { id } }, response) => {
  const [patient] = await select('SELECT * FROM patients WHERE id = $1', id);
  if (patient === undefined) return void response.status(404).json({ error: 'There is no such patient.' });
  const visits = await select('SELECT reason FROM visits WHERE patient_id = $1 ORDER BY id', id);
  const { entry: doses = [] } = await records.immunizations.search({ patient: id });
  const { entry: goals = [] } = await records.goals.search({ patient: id });
  const team = await records.careTeams.read(id);
  const members = team.participant ?? [];
  response.send(
    render(`${patient.last_name}, ${patient.first_name}, born ${patient.born}`, {
      Visits: visits.map(({ reason = '' }) => reason),
      [team.name]: members.map(({ member, role }) => `${member.display}, ${role?.[0]?.coding[0]?.display}`),
      Goals: goals.map(({ resource }) => `${resource.description.text}: ${resource.lifecycleStatus}`),
      Immunizations: doses.map(({ resource }) => `${resource.vaccineCode.coding?.[0]?.code}`),
    }),
  );
});

app.post('/patients/:id/visits', async ({ params: { id: patientId }, body }, response) => {
  const by = `Practitioner/${response.locals.user}` as const;
  const id = `visit-${Date.now()}`;
  await records.transaction(async (tx) => {
    tx.write((client) =>
      client.query({
        text: 'INSERT INTO visits VALUES ($1, $2, $3)',
        values: [id, patientId, String(body.reason)],
      }),
    );
    if (body.vaccine === undefined) return;
    await tx.directory.put('Encounter', { id, patientId });
    const vaccineCode = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: body.vaccine }] } as const;
    const occurrenceDateTime = new Date().toISOString();
    await tx.chart.record(
      { kind: 'immunize', patientId, encounterId: id, vaccineCode, occurrenceDateTime },
      { by },
    );
  });
  response.status(201).json({ id });
});

app.post('/patients/:id/team', async ({ params: { id }, body }, response) => {
  const by = `Practitioner/${response.locals.user}` as const;
  const role = { system: snomed, code: String(body.role) };
  await records.careTeams.setParticipantStatus(id, `Practitioner/${body.member}`, 'active', { role, by });
  response.status(201).json({ ok: true });
});

app.post('/patients/:id/goals', async ({ params: { id: patientId }, body }, response) => {
  const by = `Practitioner/${response.locals.user}` as const;
  const { description, dueDate } = body;
  const { resourceId: id } = await records.chart.record(
    { kind: 'goal', patientId, description, dueDate },
    { by },
  );
  response.status(201).json({ id });
});

app.post('/goals/:id/achieved', async ({ params: { id: goalId } }, response) => {
  const by = `Practitioner/${response.locals.user}` as const;
  await records.chart.record({ kind: 'closeGoal', goalId, achievementStatus: 'achieved' }, { by });
  response.json({ id: goalId });
});

const handleError: ErrorRequestHandler = (cause, _, response, next) => {
  if (!(cause instanceof ClinicalRecordsError)) return next(cause);
  if (isFailure(cause.error)) console.error(cause);
  const { status, outcome } = outcomeOf(cause.error);
  response.status(status).json(outcome);
};
app.use(handleError);

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  console.log(`Your app at http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
