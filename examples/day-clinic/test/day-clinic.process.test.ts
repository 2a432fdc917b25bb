import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { createDatabase, openPool, type TestDatabase } from '@clinical-records/testing-postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { commandsOf, type RunningHost, startHost } from '../../testing/running-host.ts';

const vaccineCode = { coding: [{ system: 'http://hl7.org/fhir/sid/cvx', code: '140' }] };

describe.each(['a SQLite file', 'PostgreSQL'])('a whole app on %s', (name) => {
  let postgres: TestDatabase | undefined;
  let server: RunningHost;
  let location: string;

  beforeAll(async () => {
    if (name === 'PostgreSQL') postgres = await createDatabase(inject('postgresUrl'));
    location = postgres?.url ?? join(mkdtempSync(join(tmpdir(), 'day-clinic-')), 'clinic.db');
    server = await startHost(commandsOf('day-clinic').command, { DATABASE: location });
  });
  afterAll(async () => {
    await server?.stop();
    await postgres?.drop();
  });

  const send = async (path: string, { cookie = '', body }: { cookie?: string; body?: unknown }) => {
    const response = await fetch(server.origin + path, {
      headers: { cookie, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      body: text === '' ? null : JSON.parse(text),
    };
  };

  const logIn = async (user: string): Promise<string> => {
    const { headers } = await send('/login', { body: { user, password: `${user}-secret` } });
    return headers.getSetCookie()[0]?.split(';')[0] ?? '';
  };

  const readVisits = async (): Promise<readonly unknown[]> => {
    const select = 'SELECT * FROM visits';
    if (postgres === undefined) return new DatabaseSync(location).prepare(select).all();
    const pool = openPool(postgres.url);
    return (await pool.query(select).finally(() => pool.end())).rows;
  };

  /** The doses in the chart, and the visits in the table of the app. */
  const countBoth = async (cookie: string) => {
    const { body } = await send('/fhir/Immunization?patient=amy', { cookie });
    return [body.total, (await readVisits()).length];
  };

  test('a user logs in by the password, and no other', async () => {
    expect(await send('/login', { body: { user: 'ada', password: 'bob-secret' } })).toMatchObject({
      ...{ status: 401, body: { error: 'Wrong name or password.' } },
    });
    expect((await send('/login', { body: { user: 'eve', password: '' } })).status).toBe(401);
    expect((await send('/fhir/CareTeam/amy', { cookie: 'session=forged' })).status).toBe(401);
    expect((await send('/fhir/CareTeam/amy', { cookie: await logIn('ada') })).status).toBe(200);
  });

  test('a doctor sees the patients of the department, and no others', async () => {
    const [ada, bob] = [await logIn('ada'), await logIn('bob')];
    expect((await send('/fhir/CareTeam/amy', { cookie: bob })).status).toBe(404);
    expect((await send('/fhir/CareTeam', { cookie: bob })).body.entry).toMatchObject([
      { resource: { id: 'tom' } },
    ]);
    const visit = { patient: 'tom', room: '1', vaccineCode };
    expect((await send('/visits', { cookie: ada, body: visit })).status).toBe(404);
  });

  test('a visit and its dose are one commit', async () => {
    const ada = await logIn('ada');
    const visit = { patient: 'amy', room: '1', vaccineCode };
    const { status, body } = await send('/visits', { cookie: ada, body: visit });
    expect(status).toBe(201);
    expect((await send(`/fhir/Immunization/${body.dose}`, { cookie: ada })).body).toMatchObject({
      status: 'completed',
      primarySource: true,
      encounter: { reference: `Encounter/${body.encounter}` },
    });
    expect(await countBoth(ada)).toEqual([1, 1]);
  });

  test('if the chart or the table refuses its part, neither is written', async () => {
    const ada = await logIn('ada');
    const before = await countBoth(ada);
    const refused = { patient: 'amy', room: '2', vaccineCode: { coding: [] } };
    expect(await send('/visits', { cookie: ada, body: refused })).toMatchObject({
      body: { resourceType: 'OperationOutcome' },
    });
    const taken = { patient: 'amy', room: '1', vaccineCode };
    expect(await send('/visits', { cookie: ada, body: taken })).toMatchObject({
      ...{ status: 409, body: { error: 'The room is taken.' } },
    });
    expect(await countBoth(ada)).toEqual(before);
  });
});
