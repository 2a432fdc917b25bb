import type { AccessEvent } from '@clinical-records/core';
import { describe, expect, test } from 'vitest';
import { createWebhook } from '../../src/webhooks.ts';
import { createHandler, createSender } from '../clinic.ts';
import { baseUrl, createFiles } from '../export/export-client.ts';
import { by, createRecords, nuts, openClinic, sourceCondition } from './clinic.ts';
import { type OpenStore, stores } from './stores.ts';

/** A clinic in which Amy and Ben have a condition each. */
const open = async (openStore: OpenStore) => {
  const clinic = await openClinic(await openStore());
  await clinic.records.importer.load([
    sourceCondition('a', 'amy'),
    sourceCondition('b', 'ben', { code: { coding: [{ code: '195967001' }] } }),
  ]);
  return clinic;
};

describe.each(stores)("a host's type for other systems (%s)", (_, openStore) => {
  test('a stream of events names its versions', async () => {
    const { records } = await open(openStore);
    const { stream } = await createHandler(records, { events: { interval: 1 } })({
      ...{ method: 'GET', url: '/fhir/events?patient=amy', headers: { authorization: 'Bearer full' } },
    });
    await stream?.next();
    const { id } = await records.allergies.create(nuts(), { by });
    expect((await stream?.next())?.value).toContain(
      `{"resourceType":"AllergyIntolerance","id":"${id}","version":1}`,
    );
    await stream?.return();
  });

  test('a webhook posts its changes, and a filter knows its elements', async () => {
    const { records } = await open(openStore);
    await records.allergies.create(nuts(), { by });
    const bodies: string[] = [];
    await createWebhook({
      records,
      queue: {
        position: async () => undefined,
        add: async ({ deliveries }) => {
          bodies.push(...deliveries.map(({ body }) => body));
        },
        due: async () => [],
        nextDueAt: async () => null,
        save: async () => {},
      },
      url: 'https://endpoint.example',
      secret: `whsec_${'A'.repeat(32)}`,
      filter: (change) =>
        change.resourceType === 'AllergyIntolerance' && change.resource?.criticality === 'high',
    }).deliver();
    expect(bodies.map((body) => JSON.parse(body).type)).toEqual(['AllergyIntolerance.changed']);
  });

  test('a bulk export has files of it, with what a scope with a search finds', async () => {
    const { sendAs } = await open(openStore);
    const { texts, files } = createFiles();
    const scopes = 'system/Condition.rs?code=195967001 system/Provenance.rs';
    const send = sendAs({ subject: 'Device/warehouse', scopes }, { bulkExport: { files }, baseUrl });
    const headers = { prefer: 'respond-async' };
    const { status, headers: answered } = await send('GET', '/$export?_type=Condition,Provenance', {
      headers,
    });
    expect(status).toBe(202);
    const path = `${answered['content-location']}`.replace(baseUrl, '');
    await expect.poll(async () => (await send('GET', path)).status).toBe(200);
    const lines = [...texts.values()]
      .flatMap((text) => text.trim().split('\n'))
      .filter((line) => line.startsWith('{'));
    expect(lines.map((line) => JSON.parse(line).id).toSorted()).toEqual(['Condition-b-1', 'b']);
  });

  test('an audit names it', async () => {
    const store = await openStore();
    await openClinic(store);
    const events: AccessEvent[] = [];
    const records = createRecords(store, { onAccess: (event) => events.push(event) });
    const { id } = await records.allergies.create(nuts(), { by });
    await records.allergies.read(id, { by });
    await createSender(createHandler(records))('PUT', `/AllergyIntolerance/${id}`, {
      body: { id, ...nuts({ criticality: 'low' }) },
    });
    expect(events).toMatchObject([
      { by, interaction: 'create', resourceType: 'AllergyIntolerance', patientIds: ['amy'] },
      { by, interaction: 'read', resourceType: 'AllergyIntolerance', id, patientIds: ['amy'] },
      {
        by,
        interaction: 'update',
        resourceType: 'AllergyIntolerance',
        id,
        patientIds: ['amy'],
        outcome: 'success',
      },
    ]);
  });
});
