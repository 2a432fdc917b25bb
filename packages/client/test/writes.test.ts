import { beforeEach, describe, expect, test } from 'vitest';
import { RequestError } from '../src/index.ts';
import { says } from '../src/writes.ts';
import { all, openServer, statement, temporary } from './server.ts';

let server: Awaited<ReturnType<typeof openServer>>;
beforeEach(async () => {
  server = await openServer();
});

const doses = () => server.records.immunizations.search({ patient: 'amy' });

const nurse = {
  coding: [{ system: 'http://snomed.info/sct', code: '224535009', display: 'Registered nurse' }],
};
const teamOf = (...members: readonly (`Practitioner/${string}` | `Organization/${string}`)[]) => ({
  id: 'amy',
  participant: members.map((member) => ({
    ...(member.startsWith('Practitioner') && { role: [nurse] }),
    member: { reference: member },
  })),
});

describe('a create has one effect, however often it is sent', () => {
  test.each([
    ['request', () => 'request' as const],
    ['response', () => 'response' as const],
    ['server: 503', () => temporary(503)],
    ['server: 502', () => temporary(502)],
  ])('after the loss of a %s', async (_, fault) => {
    server.faults.push(fault(), fault());
    const created = await server.client.create('Immunization', statement);
    const { total, entry } = await doses();
    expect(total).toBe(1);
    expect(entry?.[0]?.resource.id).toBe(created.id);
    const keys = new Set(server.requests.map(({ headers }) => headers.get('idempotency-key')));
    expect([server.requests.length, keys.size]).toEqual([3, 1]);
  });

  test('also with a key that the caller keeps, in another client', async () => {
    const key = 'kept-with-the-form';
    const first = await server.client.create('Immunization', statement, { key });
    const second = await server.connect().create('Immunization', statement, { key });
    expect(second.id).toBe(first.id);
    expect((await doses()).total).toBe(1);
  });

  test('and two creates have two, because each has a key of its own', async () => {
    await server.client.create('Immunization', statement);
    await server.client.create('Immunization', { ...statement, occurrenceDateTime: '2025-10-02' });
    expect((await doses()).total).toBe(2);
  });
});

test('a refused write has the issues of each element', async () => {
  const { vaccineCode: _, ...rest } = statement;
  const body = { ...rest, primarySource: true } as unknown as typeof statement;
  const error = await server.client.create('Immunization', body).catch((cause: unknown) => cause);
  if (!(error instanceof RequestError)) throw error;
  expect(error.issuesOf('Immunization.vaccineCode')).toHaveLength(1);
  expect(error.issuesOf('Immunization.vaccine')).toEqual([]);
  expect(error.issuesOf('Immunization')).toHaveLength(error.issues.length);
});

describe('a validation has the issues of the write, and writes nothing', () => {
  test('of a create, an update and commands', async () => {
    const { client, records } = server;
    const wrong = { ...statement, primarySource: true } as unknown as typeof statement;
    expect(await client.validateCreate('Immunization', wrong)).toMatchObject([
      { severity: 'error', expression: ['Immunization.primarySource'] },
    ]);
    expect(await client.validateCreate('Immunization', statement)).toEqual([]);
    const team = await client.read('CareTeam', 'amy');
    expect(
      await client.validateUpdate(team, teamOf('Organization/none' as 'Organization/lab')),
    ).toMatchObject([{ severity: 'error', expression: ['CareTeam.participant[0].member'] }]);
    const staged = await client.commands.stage({ kind: 'goal', patientId: 'amy', description: 'Walk' });
    expect(await client.commands.validateCommit(staged.id)).toEqual([]);
    const goal = { kind: 'goal', patientId: 'amy', description: '' } as const;
    expect(await client.commands.validateRecord(goal)).toMatchObject([{ severity: 'error' }]);
    expect((await doses()).total).toBe(0);
    expect((await records.goals.search({ patient: 'amy' })).total).toBe(0);
  });
});

describe('an update is refused if somebody has changed the resource since it was read', () => {
  test('with a conflict, and otherwise it returns the new version', async () => {
    const team = await server.client.read('CareTeam', 'amy');
    const written = await server.client.update(team, teamOf('Practitioner/ada'));
    expect(written).toMatchObject({ participant: [{ member: { display: 'Ada Byron' } }] });
    const late = server.client.update(team, teamOf('Organization/lab'));
    await expect(late).rejects.toMatchObject({ status: 412, isConflict: true });
    expect(await server.client.read('CareTeam', 'amy')).toEqual(written);
  });

  test('a resource without a version is refused, because nothing could be compared', async () => {
    const { meta: _, ...team } = await server.client.read('CareTeam', 'amy');
    await expect(server.client.update(team, teamOf())).rejects.toThrow(/no meta.versionId/);
  });

  test('its own write, whose response was lost, is found', async () => {
    const team = await server.client.read('CareTeam', 'amy');
    server.faults.push('response');
    const written = await server.client.update(team, teamOf('Practitioner/ada', 'Organization/lab'));
    expect(written.meta?.versionId).toBe('2');
    expect(written).toEqual(await server.client.read('CareTeam', 'amy'));
    expect(await all(server.client.history('CareTeam', 'amy'))).toHaveLength(2);
  });

  test('refused: the write of somebody else, with a lost response of its own before', async () => {
    const team = await server.client.read('CareTeam', 'amy');
    await server.records.careTeams.update('amy', teamOf('Practitioner/bob'), { by: 'Practitioner/bob' });
    server.faults.push('response');
    await expect(server.client.update(team, teamOf('Practitioner/ada'))).rejects.toMatchObject({
      status: 412,
    });
  });

  test('refused: somebody else has written since its own write, whose response was lost', async () => {
    const team = await server.client.read('CareTeam', 'amy');
    server.faults.push('response', temporary(503));
    const late = server.client.update(team, teamOf('Practitioner/ada'));
    await expect.poll(() => server.requests.length).toBe(3);
    await server.records.careTeams.update('amy', teamOf('Practitioner/bob'), { by: 'Practitioner/bob' });
    await expect(late).rejects.toMatchObject({ status: 412 });
  });

  test('refused with author: the same content, written by somebody else', async () => {
    const team = await server.client.read('CareTeam', 'amy');
    const own = server.connect('ada', { author: 'Practitioner/ada' });
    server.faults.push('response');
    expect(await own.update(team, teamOf('Organization/lab'))).toMatchObject({ meta: { versionId: '2' } });

    const second = await server.client.read('CareTeam', 'amy');
    await server.records.careTeams.update('amy', teamOf('Practitioner/bob'), { by: 'Practitioner/bob' });
    server.faults.push('response');
    await expect(own.update(second, teamOf('Practitioner/bob'))).rejects.toMatchObject({ status: 412 });
    expect((await server.client.read('CareTeam', 'amy')).meta?.versionId).toBe('3');
  });

  test('what was entered in error by a lost write is not refused for that', async () => {
    const dose = await server.client.create('Immunization', statement);
    server.faults.push('response');
    const written = await server.client.update(dose, {
      ...statement,
      id: dose.id,
      status: 'entered-in-error',
    });
    expect(written).toMatchObject({ status: 'entered-in-error', meta: { versionId: '2' } });
  });
});

test.each([
  [{ a: 1, b: 2 }, { a: 1 }, true],
  [{ a: 1 }, { a: 1, b: undefined }, true],
  [{ a: 1 }, { a: 2 }, false],
  [{ a: 1 }, { b: 1 }, false],
  [[{ a: 1, c: 3 }, { a: 2 }], [{ a: 2 }, { a: 1 }], true],
  [[{ a: 1 }, { a: 2 }], [{ a: 1 }], false],
  [[{ a: 1 }, { a: 2 }], [{ a: 1 }, { a: 3 }], false],
  ['a', ['a'], false],
  [null, { a: 1 }, false],
  [[{ b: 1 }, { b: 2 }], [{ b: 1 }, { b: 1 }], false],
  [[{ b: 1, id: 'x' }, { b: 2 }], [{ b: 2 }, { b: 1 }], true],
  [[{ b: 1 }, { b: 2 }, { b: 2 }], [{ b: 1 }, { b: 1 }, { b: 2 }], false],
])('%j says %j: %s', (value, wanted, expected) => {
  expect(says(value, wanted)).toBe(expected);
});

describe('commands of charts', () => {
  const walk = { kind: 'goal', patientId: 'amy', description: 'Walk a mile' } as const;

  test('are staged, found and committed', async () => {
    const { commands } = server.client;
    const staged = await commands.stage(walk);
    expect(staged).toMatchObject({ status: 'staged', patientId: 'amy' });
    expect(await all(commands.search({ patient: 'amy', status: 'staged' }))).toEqual([staged]);
    const committed = await commands.commit(staged.id, { version: staged.version });
    expect(committed).toMatchObject({ status: 'committed' });
    expect(await commands.read(staged.id)).toEqual(committed);
    await expect(commands.commit(staged.id, { version: 1 })).rejects.toMatchObject({ status: 412 });
  });

  test('are recorded, completed, reopened, discarded and entered in error, with a reason', async () => {
    const { commands } = server.client;
    const code = { coding: [{ system: 'http://loinc.org', code: '718-7' }] } as const;
    const order = await commands.record({ kind: 'labOrder', patientId: 'amy', code });
    expect(await commands.complete(order.id)).toMatchObject({ status: 'completed' });
    expect(await commands.reopen(order.id)).toMatchObject({ status: 'committed' });
    expect(await commands.enterInError(order.id, { reason: 'Wrong patient.' })).toMatchObject({
      status: 'entered-in-error',
    });
    const draft = await commands.stage(walk);
    expect(await commands.discard(draft.id, { reason: 'Not needed.' })).toMatchObject({
      status: 'discarded',
    });
  });

  test('a record moves once to the right chart, however often it is sent', async () => {
    const { commands, corrections } = server.client;
    const goal = await commands.record(walk);
    const misplaced = {
      resourceType: 'Goal',
      resourceId: goal.resourceId,
      patientId: 'amy',
      toPatientId: 'ben',
    };
    const { leaves, ...seen } = await corrections.previewMove(misplaced);
    expect(leaves).toEqual([]);
    server.faults.push('response', 'response');
    const moved = await corrections.move({ ...seen, reason: 'Two charts were open.' });
    expect(moved).toMatchObject({ kind: 'move', counts: { Goal: 1 } });
    expect(await corrections.of('Patient', 'ben')).toEqual([moved]);
    expect(await server.client.read('Goal', goal.resourceId)).toMatchObject({
      subject: { reference: 'Patient/ben' },
    });
  });

  test('two charts become one, and a change since the preview is refused', async () => {
    const { corrections } = server.client;
    const charts = { patientId: 'amy', toPatientId: 'ben' };
    const { counts, staged, participants, ...seen } = await corrections.previewMerge(charts);
    expect([counts, staged, participants]).toEqual([{}, 0, 0]);
    const merge = corrections.merge({ ...seen, patientVersion: 9, reason: 'Registered twice.' });
    await expect(merge).rejects.toMatchObject({ status: 412 });
    expect(await corrections.merge({ ...seen, reason: 'Registered twice.' })).toMatchObject({
      kind: 'merge',
    });
  });

  test('each has one effect, however often it is sent', async () => {
    const { commands } = server.client;
    server.faults.push('response', 'response');
    const staged = await commands.stage(walk);
    server.faults.push('response');
    await commands.commit(staged.id, { version: staged.version });
    expect((await server.records.goals.search({ patient: 'amy' })).total).toBe(1);
    expect(await all(commands.search({ patient: 'amy' }))).toHaveLength(1);
  });

  test('a member of a team gets a status', async () => {
    const { commands } = server.client;
    server.faults.push(temporary(429));
    await commands.setParticipantStatus('amy', { member: 'Organization/lab', status: 'proposed' });
    expect(await server.client.read('CareTeam', 'amy.proposed')).toMatchObject({
      participant: [{ member: { reference: 'Organization/lab' } }],
    });
  });

  test('refused: it is not sent again after a lost response, since somebody could have changed it meanwhile', async () => {
    const { commands } = server.client;
    server.faults.push('response');
    const lost = commands.setParticipantStatus('amy', { member: 'Organization/lab', status: 'active' });
    await expect(lost).rejects.toMatchObject({ name: 'ConnectionError', mayBeWritten: true });
    expect(server.requests).toHaveLength(1);
  });
});
