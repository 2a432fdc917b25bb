import { type AccessEvent, createAuditLog } from '@clinical-records/core';
import type { Agent } from '@clinical-records/core/adapter';
import { createMemoryAuditStore, createMemoryStore } from '@clinical-records/store-memory';
import { findFhirIssues } from '@clinical-records/testing-profiles';
import { describe, expect, test } from 'vitest';
import type { Principal } from '../src/index.ts';
import { ada, goal, labOrder, statement, team, withoutId } from './builders.ts';
import { createHandler, createRecords, createSender, openClinic } from './clinic.ts';
import { createFiles, respondAsync } from './export/export-client.ts';
import { onEveryStore } from './stores.ts';

const agent: Agent = { reference: 'Device/scribe', display: 'Scribe' };

/** A token with every scope, of an agent that acts for Ada, or of Bob himself. */
const principalOf = (token: string): Principal =>
  token === 'agent'
    ? { subject: 'Practitioner/ada', agent, scopes: ['user/*.*', 'system/*.*'] }
    : { subject: 'Practitioner/bob', scopes: ['user/*.*'] };

const organization = { reference: 'Organization/home', display: 'Home' } as const;
const software = { who: { reference: 'Device/scribe', type: 'Device', display: 'Scribe' } };
const forAda = { onBehalfOf: { reference: 'Practitioner/ada', type: 'Practitioner' } };

onEveryStore('An agent that acts for a user', (clinic) => {
  const sender = () =>
    createSender(
      createHandler(clinic().records, {
        authenticate: principalOf,
        chartCommands: true,
        baseUrl: 'https://clinic.example/fhir',
        bulkExport: { files: createFiles().files },
      }),
    );
  const propose = async (command: object) => {
    const body = withoutId(command as { readonly id?: string });
    const headers = { prefer: 'return=representation' };
    return (await sender()('POST', '/commands', { token: 'agent', body, headers })).json;
  };

  test('stages a command, which says for whom it was staged, and by which agent', async () => {
    const { id, staged } = await propose(goal());
    expect(staged).toMatchObject({ by: 'Practitioner/ada', byDisplay: 'Ada Byron', agent });
    const { json } = await sender()('GET', `/commands/${id}`, { token: 'agent' });
    expect(json.staged).toEqual(staged);
  });

  test('is named by the Provenance of a draft order, and of its commit by a practitioner', async () => {
    const { id, resourceId } = await propose(labOrder());
    const send = sender();
    await send('POST', `/commands/${id}/commit`);
    const { json } = await send('GET', `/Provenance?target=ServiceRequest/${resourceId}`);
    const shown = json.entry.map(({ resource }: { resource: { agent: readonly object[] } }) => resource);
    expect(shown).toHaveLength(2);
    const [draft, committed] = shown;
    expect(draft.agent.slice(0, 2)).toMatchObject([
      { who: { reference: 'Practitioner/ada' } },
      { type: { coding: [{ code: 'assembler' }] }, ...software, ...forAda },
    ]);
    expect(committed.agent.slice(0, 2)).toMatchObject([
      { who: { reference: 'Practitioner/bob' } },
      { type: { coding: [{ code: 'assembler' }] }, ...software, ...forAda },
    ]);
    for (const provenance of shown) expect(findFhirIssues(provenance)).toEqual([]);
  });

  test('is named only by the versions that its command has made', async () => {
    const { resourceId: goalId } = await clinic().record(goal());
    const { id } = await propose({ kind: 'updateGoal', goalId, progress: 'Walks half a mile.' });
    await clinic().record({ kind: 'updateGoal', goalId, progress: 'Rests.' });
    await sender()('POST', `/commands/${id}/commit`);
    await clinic().enterInError(id);
    const { json } = await sender()('GET', `/Provenance?target=Goal/${goalId}`);
    const named = json.entry.map(({ resource }: { resource: { agent: readonly object[] } }) =>
      JSON.stringify(resource.agent).includes('Device/scribe'),
    );
    expect(named).toEqual([false, true, false, true, false]);
  });

  describe('decides nothing, whatever its scopes are', () => {
    test.each([
      ['POST', '/commands', { ...withoutId(goal()), commit: true }],
      ['POST', '/commands/$validate', { ...withoutId(goal()), commit: true }],
      ['POST', '/commands/Goal/walk/0/commit', undefined],
      ['POST', '/commands/Goal/walk/0/discard', {}],
      ['POST', '/commands/Goal/walk/0/enter-in-error', {}],
      ['POST', '/commands/ServiceRequest/walk/0/complete', undefined],
      ['POST', '/commands/ServiceRequest/walk/0/reopen', undefined],
      ['POST', '/commands/CareTeam/amy', { member: { reference: 'Practitioner/ada' }, status: 'active' }],
      ['POST', '/Immunization', statement()],
      ['PUT', '/CareTeam/amy', team(ada)],
      ['PUT', '/Immunization/shot', statement()],
      ['GET', '/$export', undefined],
    ] as const)('%s %s is a 403, and changes nothing', async (method, path, body) => {
      await clinic().stage(goal());
      const before = await clinic().feed();
      const headers: Record<string, string> = path === '/$export' ? respondAsync : {};
      const { status, json } = await sender()(method, path, { token: 'agent', body, headers });
      expect([status, json.issue[0].details.coding[0].code]).toEqual([403, 'agent-write']);
      expect(await clinic().feed()).toEqual(before);
    });

    test('but it reads what its scopes allow', async () => {
      await clinic().record(goal());
      const send = sender();
      for (const path of ['/Goal/walk', '/Goal?patient=amy', '/Goal/walk/_history', '/commands?patient=amy'])
        expect((await send('GET', path, { token: 'agent' })).status).toBe(200);
    });
  });
});

describe('An agent', () => {
  test('does not use up the requests of its user', async () => {
    const { records } = await openClinic(createMemoryStore());
    const gate = Promise.withResolvers<'allow'>();
    const send = createSender(
      createHandler(records, {
        authenticate: (token) => ({ ...principalOf('bob'), ...(token === 'agent' && { agent }) }),
        authorize: ({ principal }) => (principal.agent === undefined ? 'allow' : gate.promise),
        maxInFlight: 1,
      }),
    );
    const first = send('GET', '/Goal?patient=amy', { token: 'agent' });
    expect((await send('GET', '/Goal?patient=amy', { token: 'agent' })).status).toBe(429);
    expect((await send('GET', '/Goal?patient=amy', { token: 'bob' })).status).toBe(200);
    gate.resolve('allow');
    expect((await first).status).toBe(200);
  });

  test('is in the audit beside its user, who has made the request', async () => {
    const store = createMemoryStore();
    const { records: own } = await openClinic(store);
    const audit = createAuditLog({ store: createMemoryAuditStore(), site: 'https://clinic.example' });
    const events: AccessEvent[] = [];
    const onAccess = async (event: AccessEvent) => {
      events.push(event);
      await audit.onAccess(event);
    };
    const records = createRecords(store, { onAccess, organization });
    const send = createSender(createHandler(records, { authenticate: principalOf, chartCommands: true }));
    await send('POST', '/commands', { token: 'agent', body: withoutId(goal()) });
    await send('GET', '/CareTeam/amy', { token: 'bob' });
    await records.chart.stage(labOrder(), { by: 'Practitioner/ada', agent });
    expect(events.map(({ by, agent }) => [by, agent])).toEqual([
      ['Practitioner/ada', agent],
      ['Practitioner/bob', undefined],
      ['Practitioner/ada', agent],
    ]);
    const { events: shown } = await audit.search({ patientIds: ['amy'], count: 10 });
    const named = shown.map(({ agent }) => agent.filter(({ who }) => who.reference === 'Device/scribe'));
    const scribe = { who: { reference: 'Device/scribe', display: 'Scribe' }, requestor: false };
    expect(named).toMatchObject([[scribe], [], [scribe]]);
    expect(shown.flatMap((event) => findFhirIssues(event))).toEqual([]);
    expect(own.access).toBeNull();
  });

  test.each([
    'Device/scribe',
    {},
    { reference: '' },
    { reference: 'Device/scribe', display: 'x'.repeat(201) },
    { reference: 'Device/scribe', name: 'Scribe' },
    null,
  ])('in process has a reference and at most a short name, unlike %j', async (sent) => {
    const { records } = await openClinic(createMemoryStore());
    const staged = records.chart.stage(goal(), { by: 'Practitioner/ada', agent: sent as Agent });
    await expect(staged).rejects.toMatchObject({ error: { _tag: 'Misuse' } });
  });

  test('in process only stages', async () => {
    const { records } = await openClinic(createMemoryStore());
    const options = { by: 'Practitioner/ada', agent } as const;
    await expect(records.chart.record(goal(), options)).rejects.toMatchObject({ error: { _tag: 'Misuse' } });
    const committed = records.chart.asJson.create({ ...withoutId(goal()), commit: true }, options);
    await expect(committed).rejects.toMatchObject({
      error: { _tag: 'Misuse' },
    });
  });

  test('that a host in plain JavaScript has not named is a 500, and does nothing', async () => {
    const { records, feed } = await openClinic(createMemoryStore());
    const before = await feed();
    const nameless = { ...principalOf('agent'), agent: { name: 'Scribe' } as unknown as Agent };
    const send = createSender(createHandler(records, { authenticate: () => nameless, chartCommands: true }));
    expect((await send('POST', '/commands', { body: withoutId(goal()) })).status).toBe(500);
    expect((await send('GET', '/Goal?patient=amy')).status).toBe(500);
    expect(await feed()).toEqual(before);
  });
});
