import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandsOf, type RunningHost, startHost } from './running-host.ts';

/**
 * Tests of every host that embeds the interface: its users and routes, and transactions over its tables and the
 * records. Returns a function for the host's address, for further tests.
 */
export const testEmbeddedHost = (example: string): (() => string) => {
  const { command, request: readmeRequest } = commandsOf(example);
  let server: RunningHost;

  beforeAll(async () => {
    server = await startHost(command);
  }, 60_000);

  afterAll(() => server?.stop());

  const send = async (user: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.origin}${path}`, {
      method,
      headers: { authorization: `Bearer ${user}-token`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    // biome-ignore lint/suspicious/noExplicitAny: a test looks into bodies of every shape
    const answered: any = await response.json();
    return { status: response.status, body: answered };
  };

  /** The number of appointments in the host's tables, and of orders in the charts. */
  const countBookings = async () => ({
    appointments: (await send('desk', 'GET', '/appointments')).body.length,
    orders: (await send('doctor', 'GET', '/fhir/ServiceRequest')).body.total,
  });

  test("the README's request reads a care team", async () => {
    const line = readmeRequest.replace('http://127.0.0.1:3000', server.origin);
    const { stdout } = await promisify(execFile)('sh', ['-c', line]);
    expect(JSON.parse(stdout)).toMatchObject({
      resourceType: 'CareTeam',
      id: '7',
      participant: [{ member: { display: 'Ada Byron' } }],
    });
  });

  test("users may do in charts what the host's roles say", async () => {
    const team = { resourceType: 'CareTeam', id: '7', participant: [] };
    expect(await send('desk', 'GET', '/fhir/CareTeam/7')).toMatchObject({ status: 403 });
    expect(await send('nurse', 'GET', '/fhir/CareTeam/7')).toMatchObject({ status: 200 });
    expect(await send('nurse', 'PUT', '/fhir/CareTeam/7', team)).toMatchObject({ status: 403 });
    expect(await send('nobody', 'GET', '/fhir/CareTeam/7')).toMatchObject({ status: 401 });
  });

  test('the patient and the practitioner of a care team are read at the same base URL', async () => {
    const { body: team } = await send('nurse', 'GET', '/fhir/CareTeam/7');
    const { reference } = team.participant[0].member;
    expect(await send('desk', 'GET', `/fhir/${team.subject.reference}`)).toMatchObject({ status: 403 });
    expect((await send('nurse', 'GET', `/fhir/${team.subject.reference}`)).body).toMatchObject({
      id: '7',
      birthDate: '1958-04-12',
    });
    expect((await send('nurse', 'GET', `/fhir/${reference}`)).body).toMatchObject({
      name: [{ family: 'Byron', given: ['Ada'] }],
    });
  });

  test('the interface reads its own bodies', async () => {
    const immunization = {
      resourceType: 'Immunization',
      status: 'completed',
      vaccineCode: { coding: [{ system: 'unstructured', code: 'Flu shot' }] },
      patient: { reference: 'Patient/7' },
      occurrenceDateTime: '2024-10-02',
      primarySource: false,
    };
    expect(await send('doctor', 'POST', '/fhir/Immunization', immunization)).toMatchObject({ status: 201 });
    expect(await send('doctor', 'POST', '/fhir/Immunization', '{')).toMatchObject({
      status: 400,
      body: { resourceType: 'OperationOutcome' },
    });
    expect(await send('doctor', 'GET', '/fhir/Nothing')).toMatchObject({
      status: 404,
      body: { resourceType: 'OperationOutcome' },
    });
  });

  test('a large body that is refused costs the next request on its connection nothing', async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const statusOf = async (user: string, method: string, body?: string) => {
      const headers = { authorization: `Bearer ${user}-token`, 'content-type': 'application/json' };
      const sent = request(`${server.origin}/fhir/CareTeam/7`, { agent, method, headers });
      sent.end(body);
      const [answer] = await once(sent, 'response');
      for await (const _ of answer);
      return answer.statusCode;
    };
    for (let round = 0; round < 5; round += 1) {
      expect(await statusOf('nobody', 'PUT', 'x'.repeat(2_000_000))).toBe(401);
      expect(await statusOf('nurse', 'GET')).toBe(200);
    }
    agent.destroy();
  });

  test("the host's own routes know its users and its appointments", async () => {
    const visit = { patientId: '7', time: '2030-05-01T08:00' };
    expect(await send('nobody', 'GET', '/appointments')).toMatchObject({ status: 401 });
    expect(await send('desk', 'POST', '/appointments', { patientId: '7' })).toMatchObject({ status: 400 });
    expect(await send('desk', 'POST', '/appointments', '{')).toMatchObject({ status: 400 });
    // A framework may close the connection of a body that is too large before the client has sent it.
    const large = await send('desk', 'POST', '/appointments', { patientId: 'x'.repeat(2_000_000) }).catch(
      ({ cause }) => ({ status: cause.code }),
    );
    expect([400, 413, 'EPIPE', 'ECONNRESET', 'UND_ERR_SOCKET']).toContain(large.status);
    expect(await send('desk', 'POST', '/appointments', visit)).toMatchObject({ status: 201 });
    expect((await send('desk', 'GET', '/appointments')).body).toContainEqual(
      expect.objectContaining({ patient_id: '7', time: visit.time, reason: 'Visit' }),
    );
  });

  test('a blood draw is an appointment and a lab order', async () => {
    const before = await countBookings();
    const draw = { patientId: '7', time: '2030-05-01T09:00' };
    expect(await send('desk', 'POST', '/blood-draws', draw)).toMatchObject({ status: 403 });
    const { status, body } = await send('doctor', 'POST', '/blood-draws', draw);
    expect(status).toBe(201);
    expect((await send('nurse', 'GET', `/fhir/ServiceRequest/${body.serviceRequest}`)).body).toMatchObject({
      status: 'active',
      requester: { reference: 'Practitioner/12' },
    });
    expect(await countBookings()).toEqual({
      appointments: before.appointments + 1,
      orders: before.orders + 1,
    });
  });

  test("where the host's last write fails, the order is undone with it", async () => {
    const draw = { patientId: '7', time: '2030-05-01T10:00' };
    await send('doctor', 'POST', '/blood-draws', draw);
    const before = await countBookings();
    expect(await send('doctor', 'POST', '/blood-draws', draw)).toMatchObject({ status: 409 });
    expect(await countBookings()).toEqual(before);
  });

  test('where the chart refuses the order, the appointment is undone with it', async () => {
    const before = await countBookings();
    const stranger = { patientId: '99', time: '2030-05-01T11:00' };
    expect(await send('doctor', 'POST', '/blood-draws', stranger)).toMatchObject({ status: 422 });
    expect(await countBookings()).toEqual(before);
  });

  test('of blood draws booked at once for one time one lands, and what others write meanwhile stays', async () => {
    const before = await countBookings();
    const draw = { patientId: '7', time: '2030-05-01T12:00' };
    const visit = { patientId: '7', time: '2030-05-01T12:00' };
    const answers = await Promise.all(
      Array.from({ length: 5 }, async () => [
        (await send('doctor', 'POST', '/blood-draws', draw)).status,
        (await send('desk', 'POST', '/appointments', visit)).status,
      ]),
    );
    const drawn = answers.map(([status]) => status);
    expect(drawn.toSorted()).toEqual([201, 409, 409, 409, 409]);
    expect(answers.map(([, status]) => status)).toEqual([201, 201, 201, 201, 201]);
    expect(await countBookings()).toEqual({
      appointments: before.appointments + 6,
      orders: before.orders + 1,
    });
  });

  return () => server.origin;
};
