import { randomUUID, scryptSync, timingSafeEqual } from 'node:crypto';
import { ClinicalRecordsError, isFailure, type PractitionerReference } from '@clinical-records/core';
import { createHttpHandler, outcomeOf, toNodeListener } from '@clinical-records/http-adapter';
import express, { type ErrorRequestHandler, type Express, type Response } from 'express';
import type { Clinic } from './clinic.ts';

const refuse = (response: Response, status: number, error: string) =>
  void response.status(status).json({ error });

/** An error of the chart is an OperationOutcome, and a failure is logged. Express answers and logs other errors. */
const handleError: ErrorRequestHandler = (cause, _, response, next) => {
  if (/unique constraint/i.test(cause.message)) return refuse(response, 409, 'The room is taken.');
  if (!(cause instanceof ClinicalRecordsError)) return next(cause);
  if (isFailure(cause.error)) console.error(cause);
  const { status, outcome } = outcomeOf(cause.error);
  response.status(status).json(outcome);
};

const isPassword = (password: string, { salt = '', hash = '00'.repeat(32) } = {}) =>
  timingSafeEqual(scryptSync(password, salt, 32), Buffer.from(hash, 'hex'));

export const createApp = ({ records, sql, sqlOn }: Clinic): Express => {
  /** The user of the session that a cookie names. */
  const userOf = async (cookie = '') => {
    const [, session = ''] = /(?:^|; )session=([^;]+)/.exec(cookie) ?? [];
    const [user] = await sql('SELECT user_id FROM sessions WHERE id = $1', session);
    return user && (`Practitioner/${user.user_id}` as PractitionerReference);
  };

  /** The patients of the user's department. */
  const patientsOf = async (user: string) => {
    const select = `SELECT patients.id FROM patients JOIN users ON users.department = patients.department
      WHERE 'Practitioner/' || users.id = $1`;
    return (await sql(select, user)).map(({ id = '' }) => id);
  };

  const fhir = createHttpHandler(records, {
    basePath: '/fhir',
    authenticate: () => null, // no program sends a token
    authenticateSession: async ({ headers }) => {
      const subject = await userOf(headers.cookie?.toString());
      return subject ? { subject, scopes: ['user/*.*'] } : null;
    },
    authorize: async ({ principal }) => ({ limitTo: await patientsOf(principal.subject) }),
    onError: (cause) => console.error(cause),
  });

  return express()
    .use('/fhir', toNodeListener(fhir))
    .use(express.json())
    .post('/login', async ({ body }, response) => {
      const [user] = await sql('SELECT * FROM users WHERE id = $1', String(body?.user));
      if (!isPassword(String(body?.password), user)) return refuse(response, 401, 'Wrong name or password.');
      const session = randomUUID();
      await sql('INSERT INTO sessions VALUES ($1, $2)', session, String(body.user));
      response.cookie('session', session, { httpOnly: true, sameSite: 'lax' }).json({ user: body.user });
    })
    .post('/visits', async ({ headers, body }, response) => {
      const by = await userOf(headers.cookie);
      if (by === undefined) return refuse(response, 401, 'Log in first.');
      const { patient: patientId, room, vaccineCode } = body ?? {};
      if (!(await patientsOf(by)).includes(patientId)) return refuse(response, 404, 'No such patient.');
      const encounterId = randomUUID();
      // The visit, its encounter and the dose are one commit: all of them, or none.
      const dose = await records.transaction(async (tx) => {
        await tx.directory.put('Encounter', { id: encounterId, patientId });
        const given = { encounterId, vaccineCode, occurrenceDateTime: new Date().toISOString() };
        const { resourceId: id } = await tx.chart.record({ kind: 'immunize', patientId, ...given }, { by });
        tx.write((on) => sqlOn(on)('INSERT INTO visits VALUES ($1, $2, $3)', String(room), patientId, id));
        return id;
      });
      response.status(201).json({ encounter: encounterId, dose });
    })
    .use(handleError);
};
