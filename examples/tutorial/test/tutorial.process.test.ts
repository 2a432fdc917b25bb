import { readdirSync } from 'node:fs';
import { createDatabase, type TestDatabase } from '@clinical-records/testing-postgres';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { type RunningHost, startHost } from '../../testing/running-host.ts';

const steps = readdirSync(new URL('..', import.meta.url)).filter((name) => /^\d-.*\.ts$/.test(name));

/** The step that brings each part of the tutorial. */
const brings = { records: 1, team: 2, goals: 3, doses: 4, fhir: 5, postgres: 6, allergies: 7 } as const;

/** A refusal, in the words of the library. */
const refused = { status: expect.toBeOneOf([400, 422]), text: expect.stringMatching(/\."/) };

describe.each(steps)('step %s', (name) => {
  const step = Number(name[0]);
  let postgres: TestDatabase | undefined;
  let host: RunningHost;

  beforeAll(async () => {
    if (step >= brings.postgres) postgres = await createDatabase(inject('postgresUrl'));
    host = await startHost(`node examples/tutorial/${name}`, postgres && { DATABASE_URL: postgres.url });
  });
  afterAll(async () => {
    await host?.stop();
    await postgres?.drop();
  });

  const send = async (path: string, body?: unknown, authorization = 'Bearer token-of-ada') => {
    const response = await fetch(host.origin + path, {
      headers: { authorization, 'content-type': 'application/json' },
      ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
    });
    return { status: response.status, text: await response.text() };
  };

  const readPage = async () => (await send('/patients/7')).text;

  test('the app is as it was: a visit is on the page of its patient, for users only', async () => {
    expect(await send('/patients/7', undefined, '')).toMatchObject({ status: 401 });
    expect(await send('/patients/nobody')).toMatchObject({ status: 404 });
    expect(await send('/patients/7/visits', { reason: 'A <b>cough' })).toMatchObject({ status: 201 });
    expect(await readPage()).toContain('<h1>Shaw, Amy, born 1958-04-12</h1>');
    expect(await readPage()).toContain('<li>A &#60;b&#62;cough</li>');
  });

  if (step >= brings.records)
    test('every patient has a care team', async () => {
      expect(await readPage()).toContain('<h2>Care Team for Shaw, Amy</h2>');
    });

  if (step >= brings.team)
    test('a member joins the team, with a role of the list', async () => {
      const member = { member: '12', role: '17561000' };
      expect(await send('/patients/7/team', { ...member, role: '1' })).toMatchObject(refused);
      expect(await send('/patients/7/team', { ...member, member: '99' })).toMatchObject(refused);
      expect(await readPage()).not.toContain('Ada Byron');
      expect(await send('/patients/7/team', member)).toMatchObject({ status: 201 });
      expect(await readPage()).toContain('<li>Ada Byron, Cardiologist</li>');
    });

  if (step >= brings.goals)
    test('a goal is recorded, and achieved once', async () => {
      const goal = await send('/patients/7/goals', { description: 'Walk 5 km a day', dueDate: '2030-06-01' });
      expect(goal).toMatchObject({ status: 201 });
      expect(await readPage()).toContain('<li>Walk 5 km a day: active</li>');
      const { id } = JSON.parse(goal.text);
      expect(await send(`/goals/${id}/achieved`, {})).toMatchObject({ status: 200 });
      expect(await readPage()).toContain('<li>Walk 5 km a day: completed</li>');
      expect(await send('/patients/7/goals', { description: '' })).toMatchObject(refused);
    });

  if (step >= brings.allergies)
    test('an allergy is recorded, on the page and over HTTP', async () => {
      expect(await send('/patients/7/allergies', { substance: 'Peanuts' })).toMatchObject({ status: 201 });
      expect(await readPage()).toContain('<li>Peanuts</li>');
      expect(await send('/patients/7/allergies', { substance: '' })).toMatchObject(refused);
      const { text } = await send('/fhir/AllergyIntolerance?patient=7');
      expect(JSON.parse(text)).toMatchObject({ total: 1 });
    });

  if (step >= brings.doses)
    test('a visit and its dose are one commit', async () => {
      expect(await send('/patients/7/visits', { reason: 'Flu season', vaccine: '140' })).toMatchObject({
        status: 201,
      });
      expect(await readPage()).toContain('<li>140</li>');
      const nothing = { reason: 'A dose of nothing', vaccine: '' };
      expect(await send('/patients/7/visits', nothing)).toMatchObject(refused);
      expect(await readPage()).not.toContain('A dose of nothing');
    });

  if (step >= brings.fhir)
    test('another program reads the chart as FHIR', async () => {
      expect(await send('/fhir/CareTeam/7', undefined, 'Bearer wrong')).toMatchObject({ status: 401 });
      expect(JSON.parse((await send('/fhir/CareTeam/7')).text)).toMatchObject({
        participant: [{ member: { display: 'Ada Byron' } }],
      });
      expect(JSON.parse((await send('/fhir/Immunization?patient=7')).text)).toMatchObject({ total: 1 });
    });
});
