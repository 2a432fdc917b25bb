import { beforeAll, describe, expect, test } from 'vitest';
import { all, openServer, statement } from './server.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeAll(async () => {
  server = await openServer();
  const { chart, immunizations } = server.records;
  for (let at = 0; at < 120; at += 1) {
    await chart.record(
      { kind: 'goal', id: `g${at}`, patientId: 'amy', description: `Goal ${at}` },
      { by: 'Practitioner/ada' },
    );
  }
  await immunizations.create(statement, { by: 'Practitioner/ada' });
});

test('read returns the current version', async () => {
  const goal = await server.client.read('Goal', 'g7');
  expect(goal).toMatchObject({ id: 'g7', description: { text: 'Goal 7' }, meta: { versionId: '1' } });
});

test('search yields all matches, page after page', async () => {
  const goals = await all(server.client.search('Goal', { patient: 'amy' }));
  expect(goals.map(({ id }) => id)).toEqual(Array.from({ length: 120 }, (_, at) => `g${at}`));
  const some = await all(server.client.search('Goal', { patient: 'amy', _count: 50 }));
  expect(some).toEqual(goals);
  expect(await all(server.client.search('Goal', new URLSearchParams({ patient: 'amy' })))).toEqual(goals);
});

test('a search that is left early asks for no further page', async () => {
  const before = server.requests.length;
  for await (const { id } of server.client.search('Goal', { patient: 'amy', _count: 10 })) {
    if (id === 'g3') break;
  }
  expect(server.requests.length - before).toBe(1);
});

test('searchPage returns one page, its total, what it includes, and the parameters of the next one', async () => {
  const page = await server.client.searchPage('Goal', {
    patient: 'amy',
    _count: 2,
    _include: 'Goal:patient',
  });
  expect(page).toMatchObject({ total: 120, resources: [{ id: 'g0' }, { id: 'g1' }] });
  expect(page.included.map(({ resourceType, id }) => `${resourceType}/${id}`)).toEqual(['Patient/amy']);
  const { next } = page;
  if (next === null) throw new Error('There is no next page.');
  const second = await server.client.searchPage('Goal', next);
  expect(second.resources.map(({ id }) => id)).toEqual(['g2', 'g3']);
});

test('searchPages yields the pages, with what they include', async () => {
  const pages = await all(
    server.client.searchPages('Goal', { patient: 'amy', _count: 50, _include: 'Goal:patient' }),
  );
  expect(pages.map(({ resources, included }) => [resources.length, included.length])).toEqual([
    [50, 1],
    [50, 1],
    [20, 1],
  ]);
});

test('with isForm, no URL has the parameters', async () => {
  const found = await all(server.client.search('Patient', { name: 'shaw' }, { isForm: true }));
  expect(found.map(({ id }) => id)).toEqual(['amy']);
  expect(server.requests.at(-1)).toMatchObject({ method: 'POST', path: '/Patient/_search' });
});

test('a parameter that is undefined does not find everything: it is refused', async () => {
  const patient = undefined as unknown as string;
  await expect(all(server.client.search('Goal', { patient }))).rejects.toMatchObject({ status: 400 });
});

test('several values of a parameter must all hold', async () => {
  const found = await all(server.client.search('Patient', { name: ['shaw', 'okoro'] as unknown as string }));
  expect(found).toEqual([]);
});

test('history yields the versions, the newest first', async () => {
  await server.records.chart.record(
    { kind: 'updateGoal', goalId: 'g1', progress: 'Better.' },
    { by: 'Practitioner/ada' },
  );
  const versions = await all(server.client.history('Goal', 'g1'));
  expect(versions.map(({ meta }) => meta?.versionId)).toEqual(['2', '1']);
  expect(await server.client.readVersion('Goal', 'g1', 1)).toEqual(versions[1]);
});

test('everything yields the patient, the chart, and the resources to which they refer', async () => {
  const names = (await all(server.client.everything('amy', { _type: 'Patient,Immunization' }))).map(
    ({ resourceType, id }) => `${resourceType}/${id}`,
  );
  expect(names).toEqual(['Patient/amy', expect.stringMatching(/^Immunization\//)]);
  const whole = await all(server.client.everything('amy'));
  expect(new Set(whole.map(({ resourceType, id }) => `${resourceType}/${id}`)).size).toBe(whole.length);
  expect(whole).toHaveLength(124);
});

describe('an error is that of the server', () => {
  test('with its status, its issues, and the id of the request', async () => {
    const refused = server.client.read('Goal', 'none');
    await expect(refused).rejects.toMatchObject({
      ...{ name: 'RequestError', status: 404, isConflict: false },
      issues: [{ severity: 'error', code: 'not-found' }],
      requestId: expect.stringMatching(/./),
    });
  });

  test('without an OperationOutcome, such as that of a proxy, it has no issues', async () => {
    server.faults.push(new Response('<html>No.</html>', { status: 418 }));
    await expect(server.client.read('Goal', 'g1')).rejects.toMatchObject({
      ...{ status: 418, issues: [], message: 'The server responded with 418.' },
    });
  });
});
